import { createHmac } from "node:crypto";
import { readRetryAfter } from "ridlkit-runtime/time";
import { OutboundFailure, OutboundRejection } from "../../base/outbound/failure.ts";
import type { OutboundResponse } from "../../base/outbound/post.ts";
import type { Format } from "../listener.ts";
import { eventLogOf } from "../notifications.ts";
import { maxRetryAfterMs } from "./limits.ts";

export interface AttemptOutcome {
  readonly kind: "accepted" | "failed" | "gone";
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** Why the attempt failed, for the listener's owner and the operator. */
  readonly fault: string | undefined;
  /** The receiver's `Retry-After` in milliseconds, at most a day. Undefined if the header is missing or invalid. */
  readonly retryAfterMs: number | undefined;
}

/** The status with which a receiver asks for no more calls. */
export const goneStatus = 410;

/** Any 2xx is a success. Redirects are failures. */
export function outcomeOfResponse({ status, retryAfter }: OutboundResponse, nowMs: number): AttemptOutcome {
  if (status >= 200 && status < 300)
    return { kind: "accepted", status, fault: undefined, retryAfterMs: undefined };
  const fault =
    status === goneStatus
      ? "it responded with 410 Gone"
      : `it responded with ${status}${status < 400 ? " (redirects are not followed)" : ""}`;
  const kind = status === goneStatus ? "gone" : "failed";
  const asked = readRetryAfter(retryAfter ?? "", nowMs);
  return { kind, status, fault, retryAfterMs: asked && Math.min(asked, maxRetryAfterMs) };
}

export function outcomeOfError(err: unknown): AttemptOutcome {
  if (!(err instanceof OutboundFailure) && !(err instanceof OutboundRejection)) throw err;
  return { kind: "failed", status: undefined, fault: err.message, retryAfterMs: undefined };
}

/**
 * Returns the delay before the next attempt in milliseconds, or undefined after the last one. `Retry-After` can only lengthen
 * the scheduled delay: shorter delays would use up all attempts within the first seconds of an outage.
 */
export function nextDelayMs(
  { retryAfterMs = 0 }: Pick<AttemptOutcome, "retryAfterMs">,
  attempts: number,
  { retryDelaysMs, jitter }: { readonly retryDelaysMs: readonly number[]; readonly jitter: number },
  random: () => number = Math.random,
): number | undefined {
  const delay = retryDelaysMs[attempts - 1];
  return delay === undefined ? undefined : Math.max(retryAfterMs, delay * (1 + jitter * random()));
}

/**
 * Builds a request body from the stored notification, which is a JSON object without its sequence. The format `array` is for older
 * receivers: a list of one object, which repeats the sequence as `id` and has `txnLogIndex` as a number.
 */
export function bodyOf(stored: string, sequence: number, format: Format): string {
  if (format === "object") return `{"sequence":${sequence},${stored.slice(1)}`;
  return JSON.stringify([eventLogOf(stored, sequence)]);
}

/** What is signed. The id is the same for every attempt; `at` is the time of the attempt. */
interface Signable {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

export type Signer = (signable: Signable) => Readonly<Record<string, string>>;

/**
 * Creates all headers of a notification, those of Standard Webhooks 1.0, with one signature for each secret:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function createSigner(secrets: readonly string[]): Signer {
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ""), "base64"));
  return ({ id, at, body }) => {
    const seconds = Math.floor(at.getTime() / 1_000);
    const text = `${id}.${seconds}.${body}`;
    return {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": keys
        .map((key) => `v1,${createHmac("sha256", key).update(text).digest("base64")}`)
        .join(" "),
    };
  };
}
