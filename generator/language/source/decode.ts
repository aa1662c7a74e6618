/** A file's text, and whether the file looks binary. */
export interface Decoded {
  readonly text: string;
  /** Not UTF-8, or a NUL among the first 8,000 characters (git's criterion). */
  readonly looksBinary: boolean;
  /** Not UTF-8: U+FFFD replaces invalid bytes in the text. */
  readonly isLossy: boolean;
}

/** Decodes UTF-8. Keeps a byte order mark. Invalid bytes become U+FFFD, so a stray byte in a comment does no harm. */
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
