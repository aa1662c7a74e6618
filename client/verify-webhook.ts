import { Webhook, WebhookVerificationError } from "standardwebhooks";
import type { EventLogs, WebhookNotification } from "../generated/types.ts";

/** The body of a call to a listener: one notification, or a list with one entry if the listener's format is `array`. */
export type WebhookBody = WebhookNotification | EventLogs;

export interface VerifiedWebhook<Body extends WebhookBody = WebhookNotification> {
  /** The same for every repeat of a notification. Ignore ids that you have seen before. */
  readonly id: string;
  readonly notification: Body;
}

/**
 * The call is not signed with the secret, or its time is more than five minutes off. Respond with 400: the platform tries again
 * later, so that nothing is lost while a secret is being replaced.
 */
export class WebhookRefusal extends Error {
  override readonly name = "WebhookRefusal";
}

/**
 * Verifies the signature of a webhook call with the listener's secret (Standard Webhooks 1.0), and parses its body.
 *
 * ```ts
 * const { id, notification } = await verifyWebhook(request, secret);
 * const { id, notification } = verifyWebhook({ headers: req.headers, body }, secret);
 * ```
 *
 * @param request A `Request`, whose body is read here; or the headers of `node:http` or `Headers`, and the body as it arrived:
 * text or bytes, not parsed, because the signature covers the bytes.
 * @param secret The secret that AddWebhookListener returned: `whsec_…`. Pass both secrets while a secret is being replaced.
 * @throws WebhookRefusal
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
      // The signature guarantees the form of the body.
      return { id: signed["webhook-id"], notification: notification as Body };
    } catch (err) {
      if (!(err instanceof WebhookVerificationError)) throw err;
      reason = err.message;
    }
  }
  throw new WebhookRefusal(`the webhook call could not be verified: ${reason}`);
}

export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

type WebhookHeaders = Record<(typeof names)[number], string>;

/** Reads names in any letter case. A missing header is an empty text, which matches no signature. */
function headersOf(source: HeaderSource): WebhookHeaders {
  const found: WebhookHeaders = { "webhook-id": "", "webhook-timestamp": "", "webhook-signature": "" };
  const given = new Map(source instanceof Headers ? source : Object.entries(source));
  for (const [anyCase, value] of given) {
    const name = names.find((one) => one === anyCase.toLowerCase());
    if (name !== undefined) found[name] = typeof value === "string" ? value : (value?.[0] ?? "");
  }
  return found;
}
