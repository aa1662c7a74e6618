/** The setting `aggregator` of a network: a service that finds swaps elsewhere too. */
export interface Aggregator {
  /** What stands before `/swap/v1/…`. */
  readonly url: string;
  /** Sent as `0x-api-key`. Never log it. */
  readonly key?: string;
}

/** Checks `{ "url": "https://…", "key": "…" }`. No message holds the key or the address. */
export function readAggregator(value: unknown, at: string, errors: string[]): Aggregator | undefined {
  const record = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const { url, key, ...unknown } = record as Readonly<Record<string, unknown>>;
  const before = errors.length;
  for (const name of Object.keys(unknown)) errors.push(`${at}: unknown key "${name}"`);
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    errors.push(`${at}.url: expected an address that begins with http:// or https://`);
  if (key !== undefined && typeof key !== "string") errors.push(`${at}.key: expected text`);
  if (errors.length > before || typeof url !== "string") return undefined;
  return { url: url.replace(/\/+$/, ""), ...(typeof key === "string" ? { key } : {}) };
}
