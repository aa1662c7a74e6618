/** Headers as `fetch` or as `node:http` has them. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

export type WebhookHeaders = Record<(typeof names)[number], string>;

/** One that is missing is the empty text, which no signature fits. */
export function headersOf(source: HeaderSource): WebhookHeaders {
  const found: WebhookHeaders = { "webhook-id": "", "webhook-timestamp": "", "webhook-signature": "" };
  for (const name of names) {
    const value = source instanceof Headers ? source.get(name) : source[name];
    found[name] = typeof value === "string" ? value : (value?.[0] ?? "");
  }
  return found;
}
