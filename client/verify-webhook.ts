import { Webhook, WebhookVerificationError } from "standardwebhooks";
import type { EventLogs, WebhookNotification } from "../generated/types.ts";
import { type HeaderSource, headersOf } from "./webhook-headers.ts";

/** The body of a call to a listener: one notification, or a list with one entry where the listener's format is `array`. */
export type WebhookBody = WebhookNotification | EventLogs;

export interface VerifiedWebhook<Body extends WebhookBody = WebhookNotification> {
  /** The same on every repeat: what was seen under it before is to be ignored. */
  readonly id: string;
  readonly notification: Body;
}

/**
 * Says that a call did not come from the holder of the secret, or came more than five minutes ago or ahead of its time. Answer 400:
 * the platform tries again later, so that nothing is lost while secrets are being exchanged.
 */
export class WebhookRefusal extends Error {
  override readonly name = "WebhookRefusal";
}

/**
 * Reads a call of the platform to a receiver, if it was signed with the listener's secret (Standard Webhooks 1.0).
 *
 * ```ts
 * const { id, notification } = await verifyWebhook(request, secret);
 * const { id, notification } = verifyWebhook({ headers: req.headers, body }, secret);
 * ```
 *
 * @param request A `Request`, whose body is read here; or headers, as `node:http` or `Headers` has them, and the body as it came: text or
 * bytes, not parsed, since the signature is over its bytes.
 * @param secret As AddWebhookListener answered it: `whsec_…`. Several, while one is being replaced.
 * @throws WebhookRefusal.
 */
export function verifyWebhook<Body extends WebhookBody = WebhookNotification>(
  request: Request,
  secret: string | readonly string[],
): Promise<VerifiedWebhook<Body>>;
export function verifyWebhook<Body extends WebhookBody = WebhookNotification>(
  request: ReceivedWebhook,
  secret: string | readonly string[],
): VerifiedWebhook<Body>;
export function verifyWebhook<Body extends WebhookBody>(
  request: Request | ReceivedWebhook,
  secret: string | readonly string[],
): VerifiedWebhook<Body> | Promise<VerifiedWebhook<Body>> {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (secrets.length === 0 || secrets.includes(""))
    throw new TypeError("verifyWebhook needs the listener's secret: whsec_…");
  if (!("arrayBuffer" in request)) return verify(request, secrets);
  return request
    .arrayBuffer()
    .then((bytes) => verify({ headers: request.headers, body: new Uint8Array(bytes) }, secrets));
}

export interface ReceivedWebhook {
  readonly headers: HeaderSource;
  readonly body: string | Uint8Array;
}

function verify<Body extends WebhookBody>(
  { headers, body }: ReceivedWebhook,
  secrets: readonly string[],
): VerifiedWebhook<Body> {
  const signed = headersOf(headers);
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  let reason = "";
  for (const secret of secrets) {
    try {
      const notification = new Webhook(secret).verify(text, signed);
      // Its sender vouches for what it says, by the signature.
      return { id: signed["webhook-id"], notification: notification as Body };
    } catch (err) {
      if (!(err instanceof WebhookVerificationError)) throw err;
      reason = err.message;
    }
  }
  throw new WebhookRefusal(`this call is not to be trusted: ${reason}`);
}
