import { createHmac } from "node:crypto";

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
