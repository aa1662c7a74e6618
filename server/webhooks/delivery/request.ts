import { createHmac } from "node:crypto";
import type { Format } from "../listener.ts";

/**
 * Builds a request body from the stored notification, which is a JSON object without its sequence. The format `array` is for older
 * receivers: a list of one object, which repeats the sequence as `id` and has `txnLogIndex` as a number.
 */
export function bodyOf(stored: string, sequence: number, format: Format): string {
  if (format === "object") return `{"sequence":${sequence},${stored.slice(1)}`;
  const { txnLogIndex, ...rest } = JSON.parse(stored) as { readonly txnLogIndex: string };
  return JSON.stringify([{ id: sequence, sequence, ...rest, txnLogIndex: Number(txnLogIndex) }]);
}

/** What is signed. The id is the same for every attempt; `at` is the time of the attempt. */
export interface Signable {
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
