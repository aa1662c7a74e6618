/** Limits on reading a document of metadata, and when it is read again. */

export interface ReadingLimits {
  /** Timeout from the DNS lookup to the last byte, redirects included, in milliseconds. */
  readonly maxDocumentMs: number;
  readonly maxDocumentBytes: number;
  readonly maxRedirects: number;
}

export const readingLimits: ReadingLimits = {
  // The same as for webhooks. Bounds how long a server that sends byte by byte occupies a slot.
  maxDocumentMs: 10_000,
  // Most documents have a few kilobytes, or a few hundred with an embedded picture.
  maxDocumentBytes: 1_048_576,
  maxRedirects: 3,
};

/** Failures in a row after which a token is read on demand only. */
export const maxFailures = 10;

/** Time until a token is read again after `failures` earlier failures, in seconds: a minute, then four times as long each time, at most a day. */
export function retryDelaySeconds(failures: number): number {
  return Math.min(86_400, 60 * 4 ** failures);
}
