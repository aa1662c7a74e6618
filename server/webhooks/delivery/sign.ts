import { createHmac } from "node:crypto";

/** What is signed: the id stays the same on every attempt, the time is that of the attempt. */
export interface Signable {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

export type Sign = (signable: Signable) => Readonly<Record<string, string>>;

/**
 * The headers of Standard Webhooks 1.0: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md.
 * A receiver that knows one of the secrets finds its signature among them.
 */
export function createSign(secrets: readonly string[]): Sign {
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
