export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

export type WebhookHeaders = Record<(typeof names)[number], string>;

/** Reads names in any letter case. A missing header is an empty text, which matches no signature. */
export function headersOf(source: HeaderSource): WebhookHeaders {
  const found: WebhookHeaders = { "webhook-id": "", "webhook-timestamp": "", "webhook-signature": "" };
  const given = new Map(source instanceof Headers ? source : Object.entries(source));
  for (const [anyCase, value] of given) {
    const name = names.find((one) => one === anyCase.toLowerCase());
    if (name !== undefined) found[name] = typeof value === "string" ? value : (value?.[0] ?? "");
  }
  return found;
}
