/** Headers as `fetch` or as `node:http` has them. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

export type WebhookHeaders = Record<(typeof names)[number], string>;

/** Names in any letter case. One that is missing is the empty text, which no signature fits. */
export function headersOf(source: HeaderSource): WebhookHeaders {
  const found: WebhookHeaders = { "webhook-id": "", "webhook-timestamp": "", "webhook-signature": "" };
  const given = new Map(source instanceof Headers ? source : Object.entries(source));
  for (const [anyCase, value] of given) {
    const name = names.find((one) => one === anyCase.toLowerCase());
    if (name !== undefined) found[name] = typeof value === "string" ? value : (value?.[0] ?? "");
  }
  return found;
}
