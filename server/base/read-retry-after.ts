/** The date format that senders must use (RFC 9110): `Sun, 06 Nov 1994 08:49:37 GMT`. `Date.parse` alone would read "-5" as a year. */
const httpDate = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/** Some providers of nodes send fractions, although the RFC allows whole seconds only. */
const seconds = /^[0-9]+(\.[0-9]+)?$/;

/**
 * Returns the time of the header `Retry-After` (RFC 9110, section 10.2.3) in milliseconds, which is 0 for a date that has passed.
 * Returns undefined for any other text.
 */
export function readRetryAfter(text: string, nowMs: number = Date.now()): number | undefined {
  if (seconds.test(text)) return Number(text) * 1_000;
  const date = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
