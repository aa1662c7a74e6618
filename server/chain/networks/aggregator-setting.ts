/** The setting `aggregator` of a network: a service that finds swaps on further exchanges. */
export interface Aggregator {
  /** The base URL, before `/swap/v1/…`. */
  readonly url: string;
  /** Sent as `0x-api-key`. Never log it. */
  readonly key?: string;
}

/** Validates `{ "url": "https://…", "key": "…" }`. Messages never contain the key or the URL. */
export function readAggregator(value: unknown, at: string, errors: string[]): Aggregator | undefined {
  const record = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const { url, key, ...unknown } = record as Readonly<Record<string, unknown>>;
  const errorsBefore = errors.length;
  for (const name of Object.keys(unknown)) errors.push(`${at}: unknown key "${name}"`);
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    errors.push(`${at}.url: expected a URL that begins with http:// or https://`);
  if (key !== undefined && typeof key !== "string") errors.push(`${at}.key: expected text`);
  if (errors.length > errorsBefore || typeof url !== "string") return undefined;
  return { url: url.replace(/\/+$/, ""), ...(typeof key === "string" ? { key } : {}) };
}
