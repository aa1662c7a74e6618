import { OutboundFailure, OutboundRejection } from "../../base/outbound/failure.ts";
import type { OutboundResponse } from "../../base/outbound/post.ts";

/** What became of one attempt. */
export interface Verdict {
  readonly kind: "accepted" | "failed" | "gone";
  /** Undefined: no answer came. */
  readonly status: number | undefined;
  /** Why it failed, in words for the listener's owner and the operator. */
  readonly fault: string | undefined;
  /** The wait that the receiver asked for, in milliseconds, at most a day. Undefined: no header, or one that cannot be read. */
  readonly retryAfterMs: number | undefined;
}

/** Longest wait that a receiver may ask for, in milliseconds: the longest of our own schedule. */
const retryAfterMaxMs = 24 * 3_600_000;

/** Any 2xx is success; redirects are failures like all else. */
export function judge({ status, retryAfter }: OutboundResponse, nowMs: number): Verdict {
  if (status >= 200 && status < 300)
    return { kind: "accepted", status, fault: undefined, retryAfterMs: undefined };
  const fault =
    status === 410
      ? "it answered 410 Gone"
      : `it answered ${status}${status < 400 ? " (redirects are not followed)" : ""}`;
  const kind = status === 410 ? "gone" : "failed";
  return { kind, status, fault, retryAfterMs: readRetryAfter(retryAfter, nowMs) };
}

export function judgeFailure(err: unknown): Verdict {
  if (!(err instanceof OutboundFailure) && !(err instanceof OutboundRejection)) throw err;
  return { kind: "failed", status: undefined, fault: err.message, retryAfterMs: undefined };
}

/** Reads seconds or a date (RFC 9110, section 10.2.3). Ignores dates that have passed, negative numbers and any other text. */
function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^[0-9]+$/.test(text)
    ? Number(text) * 1_000
    : httpDate.test(text)
      ? Date.parse(text) - nowMs
      : 0;
  return ms > 0 ? Math.min(ms, retryAfterMaxMs) : undefined;
}

/** The one form of a date that senders may write: `Sun, 06 Nov 1994 08:49:37 GMT`. `Date.parse` alone would read "-5" as a year. */
const httpDate = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/**
 * Returns the wait before the next attempt in milliseconds, or undefined after the last one. The receiver's wish only lengthens
 * the wait of the schedule: a shorter one would use up all attempts within seconds of an outage.
 */
export function nextWaitMs(
  { retryAfterMs = 0 }: Pick<Verdict, "retryAfterMs">,
  attempts: number,
  { retryAfterMs: schedule, jitter }: { readonly retryAfterMs: readonly number[]; readonly jitter: number },
  random: () => number = Math.random,
): number | undefined {
  const wait = schedule[attempts - 1];
  return wait === undefined ? undefined : Math.max(retryAfterMs, wait * (1 + jitter * random()));
}
