import { Webhook } from "standardwebhooks";

/** What is signed: the id stays the same on every attempt, the time is that of the attempt. */
export interface Signable {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** The headers of Standard Webhooks 1.0. A receiver that knows one of the secrets finds its signature among them. */
export function signedHeaders(
  { id, at, body }: Signable,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}
