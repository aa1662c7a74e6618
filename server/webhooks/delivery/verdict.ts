import type { OutboundAnswer } from "../../outbound/exchange.ts";
import { OutboundFailure, OutboundRefusal } from "../../outbound/failure.ts";

/** What became of one attempt. */
export interface Verdict {
  readonly kind: "accepted" | "failed" | "gone";
  /** Undefined: no answer came. */
  readonly status: number | undefined;
  /** Why it failed, in words for the listener's owner and the operator. */
  readonly fault: string | undefined;
  /** What the receiver asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** Bounds of what a receiver may ask for, in milliseconds. */
const retryAfterMinMs = 1_000;
const retryAfterMaxMs = 24 * 3_600_000;

/** Any 2xx is success; redirects are failures like all else. */
export function judge({ status, retryAfter }: OutboundAnswer, nowMs: number): Verdict {
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
  if (!(err instanceof OutboundFailure) && !(err instanceof OutboundRefusal)) throw err;
  return { kind: "failed", status: undefined, fault: err.message, retryAfterMs: undefined };
}

/** Seconds, or a date (RFC 9110, section 10.2.3). What is neither was not said. */
function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^[0-9]{1,10}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, retryAfterMinMs), retryAfterMaxMs);
}

/** How long to wait before the next attempt, in milliseconds; undefined: there is none. */
export function nextWaitMs(
  { retryAfterMs }: Pick<Verdict, "retryAfterMs">,
  attempts: number,
  { retryAfterMs: schedule, jitter }: { readonly retryAfterMs: readonly number[]; readonly jitter: number },
  random: () => number = Math.random,
): number | undefined {
  const wait = schedule[attempts - 1];
  return wait === undefined ? undefined : (retryAfterMs ?? wait * (1 + jitter * random()));
}
