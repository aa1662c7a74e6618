/** A file's bytes as text, and whether they look like anything but text. */
export interface Decoded {
  readonly text: string;
  /** Not UTF-8, or a NUL among the first 8,000 characters (the measure that git takes). */
  readonly looksBinary: boolean;
  /** Not UTF-8: the text has U+FFFD where something else stood. */
  readonly isLossy: boolean;
}

/** UTF-8 to text. A byte order mark stays, and what is not UTF-8 becomes U+FFFD, so that a stray byte in a comment does no harm. */
export function decode(bytes: Uint8Array): Decoded {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const isBroken = text.includes("\uFFFD") && !isUtf8(bytes);
  return { text, isLossy: isBroken, looksBinary: isBroken || text.slice(0, 8000).includes("\0") };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
