/** Validates the setting `networkDetails`. */

import { isObject } from "ridlkit-runtime/json";
import { type Aggregator, type Exchange, readAggregator, readExchange } from "./exchanges.ts";
import { type FollowSettings, readFollow } from "./follow.ts";
import { describeUnknownNetwork, resolveChainId } from "./known-chains.ts";
import { checkMarkets, type Market, readMarket } from "./markets.ts";
import { type Coin, type Currency, type NodeSettings, readNode } from "./network.ts";
import { type RateSource, readRateSource } from "./rate-sources.ts";
import { checkKeys, isIntegerIn, readAddress } from "./read-values.ts";

export interface NetworkDetail {
  readonly name?: string | undefined;
  readonly coin?: Coin | undefined;
  readonly rpcUrls?: readonly NodeSettings[] | undefined;
  readonly currencies?: readonly Currency[] | undefined;
  readonly connectors?: readonly string[] | undefined;
  readonly exchanges?: readonly Exchange[] | undefined;
  readonly aggregator?: Aggregator | undefined;
  readonly follow?: FollowSettings | undefined;
  readonly markets?: readonly Market[] | undefined;
}

const detailKeys = [
  "name",
  "coin",
  "rpcUrls",
  "currencies",
  "connectors",
  "exchanges",
  "aggregator",
  "follow",
  "markets",
];

export function readDetails(given: unknown, errors: string[]): ReadonlyMap<number, NetworkDetail> {
  const details = new Map<number, NetworkDetail>();
  if (given === undefined) return details;
  if (!isObject(given)) {
    errors.push("networkDetails: expected an object with names or chain ids as keys");
    return details;
  }
  for (const [key, value] of Object.entries(given)) {
    const at = `networkDetails.${key}`;
    const chainId = resolveChainId(key);
    if (chainId === undefined) errors.push(`networkDetails: ${describeUnknownNetwork(key)}`);
    else if (!isObject(value)) errors.push(`${at}: expected an object`);
    else if (details.has(chainId)) errors.push(`${at}: network ${chainId} is configured twice`);
    else details.set(chainId, readDetail(value, at, errors));
  }
  return details;
}

function readDetail(value: Readonly<Record<string, unknown>>, at: string, errors: string[]): NetworkDetail {
  checkKeys(value, detailKeys, at, errors);
  const name = value["name"];
  if (name !== undefined && !(typeof name === "string" && /^[a-z][a-z0-9-]{0,63}$/.test(name)))
    errors.push(`${at}.name: expected lower case letters, digits and "-", starting with a letter`);
  const connectors = value["connectors"];
  if (Array.isArray(connectors) && connectors.length > maxConnectors)
    errors.push(
      `${at}.connectors: at most ${maxConnectors}, because the number of routes grows with their square`,
    );
  const markets = readList(value["markets"], `${at}.markets`, errors, (item, itemAt) =>
    readMarket(item, itemAt, errors),
  );
  checkMarkets(markets, `${at}.markets`, errors);
  return {
    name: typeof name === "string" ? name : undefined,
    coin: value["coin"] === undefined ? undefined : readCoin(value["coin"], undefined, `${at}.coin`, errors),
    rpcUrls: readList(value["rpcUrls"], `${at}.rpcUrls`, errors, (item, itemAt) =>
      readNode(item, itemAt, errors),
    ),
    currencies: readList(value["currencies"], `${at}.currencies`, errors, (item, itemAt) =>
      readCurrency(item, itemAt, errors),
    ),
    connectors: readList(value["connectors"], `${at}.connectors`, errors, (item, itemAt) =>
      readAddress(item, itemAt, errors),
    ),
    exchanges: readList(value["exchanges"], `${at}.exchanges`, errors, (item, itemAt) =>
      readExchange(item, itemAt, errors),
    ),
    aggregator:
      value["aggregator"] === undefined
        ? undefined
        : readAggregator(value["aggregator"], `${at}.aggregator`, errors),
    follow: readFollow(value["follow"], `${at}.follow`, errors),
    markets,
  };
}

/** With four fees these are about 250 pools in one search, which nodes allow in one call. */
const maxConnectors = 8;

function readList<Item>(
  value: unknown,
  at: string,
  errors: string[],
  read: (item: unknown, at: string) => Item | undefined,
): readonly Item[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    errors.push(`${at}: expected a list`);
    return undefined;
  }
  return value.flatMap((item, index) => read(item, `${at}[${index}]`) ?? []);
}

function readCurrency(value: unknown, at: string, errors: string[]): Currency | undefined {
  const address = isObject(value) ? readAddress(value["address"], `${at}.address`, errors) : undefined;
  const coin = readCoin(value, address, at, errors);
  return coin === undefined || address === undefined ? undefined : { ...coin, address };
}

/** Reads `{ symbol, decimals, name?, usdRate? }`, or `usdFrom` in place of `usdRate`. The name defaults to the symbol. */
function readCoin(
  value: unknown,
  address: string | undefined,
  at: string,
  errors: string[],
): Coin | undefined {
  if (!isObject(value)) {
    errors.push(`${at}: expected an object with "symbol" and "decimals"`);
    return undefined;
  }
  const { symbol, decimals, name = symbol, usdRate, usdFrom } = value;
  if (typeof symbol !== "string" || symbol === "") errors.push(`${at}.symbol: expected text`);
  // 10^77 is the largest power of ten below 2^256.
  const areDecimals = isIntegerIn(decimals, [0, 77], `${at}.decimals`, errors);
  if (name !== symbol && typeof name !== "string") errors.push(`${at}.name: expected text`);
  const isPriced = usdRate !== undefined;
  if (isPriced && !isRate(usdRate))
    errors.push(`${at}.usdRate: expected US dollars above 0, such as 1 or "2000.5"`);
  if (isPriced && usdFrom !== undefined) errors.push(`${at}: set usdRate or usdFrom, not both`);
  const source: RateSource | undefined =
    usdFrom === undefined ? undefined : readRateSource(usdFrom, address, `${at}.usdFrom`, errors);
  return typeof symbol === "string" && areDecimals && typeof name === "string"
    ? {
        name,
        symbol,
        decimals,
        ...(isPriced ? { usdRate: String(usdRate) } : {}),
        ...(source === undefined ? {} : { usdFrom: source }),
      }
    : undefined;
}

/** The number of digits is limited by the database column. */
function isRate(value: unknown): value is string | number {
  const isPlain = typeof value === "string" || typeof value === "number";
  return isPlain && /^[0-9]{1,18}([.][0-9]{1,36})?$/.test(String(value)) && /[1-9]/.test(String(value));
}
