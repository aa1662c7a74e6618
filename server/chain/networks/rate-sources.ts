/** The setting `usdFrom` of a currency: the contract from which its rate is read. */
import { isObject } from "ridlkit-runtime/json";
import { checkKeys, isIntegerIn, readAddress } from "./read-values.ts";

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
  if (!isObject(value)) {
    errors.push(`${at}: expected an object with "feed" or "pool"`);
    return undefined;
  }
  const errorsBefore = errors.length;
  const isFeed = value["feed"] !== undefined;
  const keys = isFeed
    ? ["feed", "maxAgeSeconds"]
    : ["pool", "kind", "against", "token", "windowSeconds", "minUsd"];
  checkKeys(value, keys, at, errors);
  const address = (key: string, otherwise?: string): string =>
    readAddress(value[key] ?? otherwise, `${at}.${key}`, errors) ?? "";
  const number = (key: keyof typeof defaults, min: number, max: number): number => {
    const found = value[key] ?? defaults[key];
    return isIntegerIn(found, [min, max], `${at}.${key}`, errors) ? found : defaults[key];
  };
  const source: RateSource = isFeed
    ? { kind: "feed", address: address("feed"), maxAgeSeconds: number("maxAgeSeconds", 1, 31_536_000) }
    : {
        kind: value["kind"] === "v2" ? "v2" : "v3",
        address: address("pool"),
        against: address("against"),
        token: address("token", ownAddress),
        windowSeconds: number("windowSeconds", 1, 86_400),
        minUsd: number("minUsd", 0, 1_000_000_000),
      };
  if (!isFeed && value["kind"] !== "v2" && value["kind"] !== "v3")
    errors.push(`${at}.kind: expected "v2" or "v3"`);
  return errors.length > errorsBefore ? undefined : source;
}
