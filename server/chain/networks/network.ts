/** A chain that a host serves, with the operator's settings. */

import { isObject } from "ridlkit-runtime/json";
import type { Aggregator, Exchange } from "./exchanges.ts";
import type { FollowSettings } from "./follow.ts";
import type { Market } from "./markets.ts";
import type { RateSource } from "./rate-sources.ts";
import { checkKeys } from "./read-values.ts";

export interface Coin {
  readonly name: string;
  readonly symbol: string;
  /** Number of decimal places of its usual unit. */
  readonly decimals: number;
  /** US dollars per usual unit, a decimal above 0, if the operator has set a fixed rate. */
  readonly usdRate?: string;
  /** The contract from which the rate is read. */
  readonly usdFrom?: RateSource;
}

/** Stands for a chain's native coin in orders and records. Swaps use another address, `nativeCoin`. */
export const zeroAddress: `0x${string}` = `0x${"0".repeat(40)}`;

export interface Currency extends Coin {
  /** Lower case; `zeroAddress` stands for the native coin. */
  readonly address: string;
}

export interface Network {
  readonly chainId: number;
  /** The displayed name: `polygon`. */
  readonly name: string;
  /** All names that callers may use, including `name`. Lower case. */
  readonly names: readonly string[];
  readonly title: string;
  readonly coin: Coin;
  readonly isTestnet: boolean;
  /** The preferred one first. Without nodes, everything that needs the chain is Unavailable. */
  readonly nodes: readonly NodeSettings[];
  /** The native coin first. */
  readonly currencies: readonly Currency[];
  /** Tokens that the route of a swap may pass through. */
  readonly connectors: readonly string[];
  /** Exchanges for swaps. Without exchanges this host offers no swaps on this network. */
  readonly exchanges: readonly Exchange[];
  /** A service that is queried in addition to the exchanges. */
  readonly aggregator?: Aggregator;
  /** How its blocks are followed. Undefined: they are not followed. */
  readonly follow?: FollowSettings;
  /** Markets whose orders are read from the chain while it is followed, at most one of each kind. */
  readonly markets: readonly Market[];
}

/* The setting `rpcUrls` of a network: its nodes, and how much their providers allow. */

export interface NodeSettings {
  /** May hold a key: never log it. */
  readonly url: string;
  /** Requests in one second, each counted with the weight of its method. Undefined: no limit. */
  readonly maxPerSecond?: number;
  /** By method, such as `eth_getLogs`. Other methods count as 1. */
  readonly weights?: Readonly<Record<string, number>>;
}

/** Validates a URL, or `{ "url": "https://…", "maxPerSecond": 25, "weights": { "eth_getLogs": 75 } }`. */
export function readNode(value: unknown, at: string, errors: string[]): NodeSettings | undefined {
  if (!isObject(value)) return isRpcUrl(value, at, errors) ? { url: value } : undefined;
  const errorsBefore = errors.length;
  checkKeys(value, ["url", "maxPerSecond", "weights"], at, errors);
  const { url, maxPerSecond, weights } = value as Readonly<Partial<Record<keyof NodeSettings, unknown>>>;
  const hasUrl = isRpcUrl(url, `${at}.url`, errors);
  if (maxPerSecond !== undefined && !isBetween(maxPerSecond, 0.1, 1_000_000))
    errors.push(`${at}.maxPerSecond: expected a number from 0.1 to 1000000`);
  if (weights !== undefined) checkWeights(weights, `${at}.weights`, errors);
  if (!hasUrl || errors.length > errorsBefore) return undefined;
  return {
    url,
    ...(maxPerSecond === undefined ? {} : { maxPerSecond: Number(maxPerSecond) }),
    ...(weights === undefined ? {} : { weights: weights as Readonly<Record<string, number>> }),
  };
}

function checkWeights(value: unknown, at: string, errors: string[]): void {
  if (!isObject(value)) {
    errors.push(`${at}: expected an object with methods, such as { "eth_getLogs": 75 }`);
    return;
  }
  for (const [method, weight] of Object.entries(value)) {
    if (!/^[a-z]+_[a-zA-Z0-9]+$/.test(method))
      errors.push(`${at}: "${method}" is not a method; expected a name such as "eth_getLogs"`);
    if (!isBetween(weight, 0, 100_000)) errors.push(`${at}.${method}: expected a number from 0 to 100000`);
  }
}

/** The message never contains the URL, which may hold a key. */
export function isRpcUrl(value: unknown, at: string, errors: string[]): value is string {
  const isValid =
    typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  if (!isValid) errors.push(`${at}: expected a URL that begins with http:// or https://`);
  return isValid;
}

function isBetween(value: unknown, min: number, max: number): boolean {
  return typeof value === "number" && value >= min && value <= max;
}
