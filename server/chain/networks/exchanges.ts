/** The setting `exchanges` of a network: where swaps may be made. */
import { isObject } from "ridlkit-runtime/json";
import { checkKeys, readAddress } from "./read-values.ts";

const exchangeKinds = ["v2", "swapRouter", "swapRouter02"] as const;

/** `v2`: Uniswap's Router02 and routers with the same ABI. The others are the two routers of version 3, whose ABIs differ. */
export type ExchangeKind = (typeof exchangeKinds)[number];

export interface Exchange {
  readonly kind: ExchangeKind;
  /** Lower case. Callers approve the router, so the operator must verify it. */
  readonly router: string;
  /** Version 3 only: fees of the pools to search, in hundredths of a basis point. */
  readonly fees: readonly number[];
  /** Keccak hash of the router's code, if the operator has recorded it. A router with other code is not used. Lower case. */
  readonly codeHash?: string;
}

/** The fees of Uniswap's factory on most chains. */
export const defaultFees: readonly number[] = [100, 500, 3_000, 10_000];

/** Validates one entry: `{ "kind": "swapRouter02", "router": "0x…", "fees": [500, 3000], "codeHash": "0x…" }`. */
export function readExchange(value: unknown, at: string, errors: string[]): Exchange | undefined {
  if (!isObject(value)) {
    errors.push(`${at}: expected an object with "kind" and "router"`);
    return undefined;
  }
  const { kind, fees, codeHash } = value;
  const errorsBefore = errors.length;
  checkKeys(value, ["kind", "router", "fees", "codeHash"], at, errors);
  const known = exchangeKinds.find((one) => one === kind);
  if (known === undefined) errors.push(`${at}.kind: expected one of ${exchangeKinds.join(", ")}`);
  const router = readAddress(value["router"], `${at}.router`, errors);
  if (codeHash !== undefined && !(typeof codeHash === "string" && /^0x[0-9a-fA-F]{64}$/.test(codeHash)))
    errors.push(`${at}.codeHash: expected a hash: 0x and 64 hex digits`);
  if (fees !== undefined && (known === "v2" || !areFees(fees)))
    errors.push(`${at}.fees: expected 1 to 8 numbers below 1000000, and only for version 3`);
  if (errors.length > errorsBefore || known === undefined || router === undefined) return undefined;
  return {
    kind: known,
    router,
    fees: known === "v2" ? [] : areFees(fees) ? fees : defaultFees,
    ...(codeHash === undefined ? {} : { codeHash: String(codeHash).toLowerCase() }),
  };
}

function areFees(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= 8 &&
    value.every((fee) => Number.isInteger(fee) && fee > 0 && fee < 1_000_000)
  );
}

/** The setting `aggregator` of a network: a service that finds swaps on further exchanges. */
export interface Aggregator {
  /** The base URL, before `/swap/v1/…`. */
  readonly url: string;
  /** Sent as `0x-api-key`. Never log it. */
  readonly key?: string;
}

/** Validates `{ "url": "https://…", "key": "…" }`. Messages never contain the key or the URL. */
export function readAggregator(value: unknown, at: string, errors: string[]): Aggregator | undefined {
  const given = isObject(value) ? value : {};
  const { url, key } = given;
  const errorsBefore = errors.length;
  checkKeys(given, ["url", "key"], at, errors);
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    errors.push(`${at}.url: expected a URL that begins with http:// or https://`);
  if (key !== undefined && typeof key !== "string") errors.push(`${at}.key: expected text`);
  if (errors.length > errorsBefore || typeof url !== "string") return undefined;
  return { url: url.replace(/\/+$/, ""), ...(typeof key === "string" ? { key } : {}) };
}
