/** Failures in a row after which a token is read on demand only. */
export const maxFailures = 10;

/** Time until a token is read again after `failures` earlier failures, in seconds: a minute, then four times as long each time, at most a day. */
export function retryDelaySeconds(failures: number): number {
  return Math.min(86_400, 60 * 4 ** failures);
}
