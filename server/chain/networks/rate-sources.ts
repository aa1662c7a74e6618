/** The setting `usdFrom` of a currency: the contract from which its rate is read. */

export type RateSource = FeedSource | PoolSource;

/** A price feed with Chainlink's interface. */
export interface FeedSource {
  readonly kind: "feed";
  /** Lower case. */
  readonly address: string;
  readonly maxAgeSeconds: number;
}

/** A pool with another currency whose rate is configured. */
export interface PoolSource {
  /** `v2`: the current ratio of its reserves. `v3`: the mean price over a time window. */
  readonly kind: "v2" | "v3";
  /** Lower case. */
  readonly address: string;
  /** The configured currency on the pool's other side, in lower case. */
  readonly against: string;
  /** The token that represents this currency in the pool: itself, or its wrapped form. Lower case. */
  readonly token: string;
  readonly windowSeconds: number;
  /** A pool with less value on its other side is ignored, because its price is cheap to manipulate. */
  readonly minUsd: number;
}

const defaults = {
  // Feeds update at least once a day, and some are late.
  maxAgeSeconds: 90_000,
  windowSeconds: 1_800,
  minUsd: 10_000,
};

/** Validates `{ "feed": "0x…", "maxAgeSeconds": 3900 }`, or `{ "pool": "0x…", "kind": "v3", "against": "0x…", "token": "0x…" }`. */
export function readRateSource(
  value: unknown,
  ownAddress: string | undefined,
  at: string,
  errors: string[],
): RateSource | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    errors.push(`${at}: expected an object with "feed" or "pool"`);
    return undefined;
  }
  const given = value as Readonly<Record<string, unknown>>;
  const errorsBefore = errors.length;
  const isFeed = given["feed"] !== undefined;
  const keys = isFeed
    ? ["feed", "maxAgeSeconds"]
    : ["pool", "kind", "against", "token", "windowSeconds", "minUsd"];
  for (const key of Object.keys(given)) if (!keys.includes(key)) errors.push(`${at}: unknown key "${key}"`);
  const address = (key: string, otherwise?: string): string => {
    const text = given[key] ?? otherwise;
    if (typeof text === "string" && /^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase();
    errors.push(`${at}.${key}: expected an address: 0x and 40 hex digits`);
    return "";
  };
  const number = (key: keyof typeof defaults, min: number, max: number): number => {
    const found = given[key] ?? defaults[key];
    if (Number.isInteger(found) && Number(found) >= min && Number(found) <= max) return Number(found);
    errors.push(`${at}.${key}: expected an integer from ${min} to ${max}`);
    return defaults[key];
  };
  const source: RateSource = isFeed
    ? { kind: "feed", address: address("feed"), maxAgeSeconds: number("maxAgeSeconds", 1, 31_536_000) }
    : {
        kind: given["kind"] === "v2" ? "v2" : "v3",
        address: address("pool"),
        against: address("against"),
        token: address("token", ownAddress),
        windowSeconds: number("windowSeconds", 1, 86_400),
        minUsd: number("minUsd", 0, 1_000_000_000),
      };
  if (!isFeed && given["kind"] !== "v2" && given["kind"] !== "v3")
    errors.push(`${at}.kind: expected "v2" or "v3"`);
  return errors.length > errorsBefore ? undefined : source;
}
