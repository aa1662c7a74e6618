/** The setting `networkDetails`, checked. */
import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import { type Aggregator, readAggregator } from "./aggregator.ts";
import { type Exchange, readExchange } from "./exchanges.ts";
import { type FollowSettings, readFollow } from "./follow.ts";
import { checkMarkets, type Market, readMarket } from "./markets.ts";
import type { Coin, Currency } from "./network.ts";
import { type RateSource, readRateSource } from "./rate-sources.ts";
import { idOf, unknownNetwork } from "./which-chain.ts";

/** What the details says of one network, already of the right shape. */
export interface Detail {
  readonly name?: string | undefined;
  readonly coin?: Coin | undefined;
  readonly rpcUrls?: readonly string[] | undefined;
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

export function readDetails(given: unknown, faults: string[]): ReadonlyMap<number, Detail> {
  const details = new Map<number, Detail>();
  if (given === undefined) return details;
  if (!isRecord(given)) {
    faults.push("networkDetails: expected an object by name or chain id");
    return details;
  }
  for (const [key, value] of Object.entries(given)) {
    const at = `networkDetails.${key}`;
    const chainId = idOf(key);
    if (chainId === undefined) faults.push(`networkDetails: ${unknownNetwork(key)}`);
    else if (!isRecord(value)) faults.push(`${at}: expected an object`);
    else if (details.has(chainId)) faults.push(`${at}: network ${chainId} is there twice`);
    else details.set(chainId, readDetail(value, at, faults));
  }
  return details;
}

function readDetail(value: Readonly<Record<string, unknown>>, at: string, faults: string[]): Detail {
  for (const key of Object.keys(value)) {
    if (detailKeys.includes(key)) continue;
    const near = suggest(key, detailKeys);
    faults.push(`${at}: unknown key "${key}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
  }
  const name = value["name"];
  if (name !== undefined && !(typeof name === "string" && /^[a-z][a-z0-9-]{0,63}$/.test(name)))
    faults.push(`${at}.name: expected lower case letters, digits and "-", a letter first`);
  const connectors = value["connectors"];
  if (Array.isArray(connectors) && connectors.length > maxConnectors)
    faults.push(
      `${at}.connectors: at most ${maxConnectors}, because the ways to be priced grow with their square`,
    );
  const markets = readList(value["markets"], `${at}.markets`, faults, (item, place) =>
    readMarket(item, place, faults),
  );
  checkMarkets(markets, `${at}.markets`, faults);
  return {
    name: typeof name === "string" ? name : undefined,
    coin: value["coin"] === undefined ? undefined : readCoin(value["coin"], undefined, `${at}.coin`, faults),
    rpcUrls: readList(value["rpcUrls"], `${at}.rpcUrls`, faults, (item, place) =>
      isRpcUrl(item, place, faults) ? item : undefined,
    ),
    currencies: readList(value["currencies"], `${at}.currencies`, faults, (item, place) =>
      readCurrency(item, place, faults),
    ),
    connectors: readList(value["connectors"], `${at}.connectors`, faults, (item, place) =>
      readAddress(item, place, faults),
    ),
    exchanges: readList(value["exchanges"], `${at}.exchanges`, faults, (item, place) =>
      readExchange(item, place, faults),
    ),
    aggregator:
      value["aggregator"] === undefined
        ? undefined
        : readAggregator(value["aggregator"], `${at}.aggregator`, faults),
    follow: readFollow(value["follow"], `${at}.follow`, faults),
    markets,
  };
}

/** With four fees this is some 250 pools in one search, which nodes let a call ask. */
const maxConnectors = 8;

function readList<Item>(
  value: unknown,
  at: string,
  faults: string[],
  read: (item: unknown, at: string) => Item | undefined,
): readonly Item[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    faults.push(`${at}: expected a list`);
    return undefined;
  }
  return value.flatMap((item, index) => read(item, `${at}[${index}]`) ?? []);
}

function readCurrency(value: unknown, at: string, faults: string[]): Currency | undefined {
  const address = isRecord(value) ? readAddress(value["address"], `${at}.address`, faults) : undefined;
  const coin = readCoin(value, address, at, faults);
  return coin === undefined || address === undefined ? undefined : { ...coin, address };
}

/** `{ symbol, decimals, name?, usdRate? }`, or `usdFrom` in place of a rate; the name is the symbol if there is none. */
function readCoin(
  value: unknown,
  address: string | undefined,
  at: string,
  faults: string[],
): Coin | undefined {
  if (!isRecord(value)) {
    faults.push(`${at}: expected an object with "symbol" and "decimals"`);
    return undefined;
  }
  const {
    symbol,
    decimals,
    name = symbol,
    usdRate,
    usdFrom,
  } = value as Readonly<Record<string, unknown>> & {
    readonly symbol?: unknown;
    readonly decimals?: unknown;
    readonly name?: unknown;
    readonly usdRate?: unknown;
    readonly usdFrom?: unknown;
  };
  if (typeof symbol !== "string" || symbol === "") faults.push(`${at}.symbol: expected text`);
  // 77 digits are as many as 2^256 has.
  const areDecimals =
    typeof decimals === "number" && Number.isInteger(decimals) && decimals >= 0 && decimals <= 77;
  if (!areDecimals) faults.push(`${at}.decimals: expected 0 to 77`);
  if (name !== symbol && typeof name !== "string") faults.push(`${at}.name: expected text`);
  const isPriced = usdRate !== undefined;
  if (isPriced && !isRate(usdRate)) faults.push(`${at}.usdRate: expected dollars above 0, as 1 or "2000.5"`);
  if (isPriced && usdFrom !== undefined) faults.push(`${at}: either usdRate or usdFrom`);
  const source: RateSource | undefined =
    usdFrom === undefined ? undefined : readRateSource(usdFrom, address, `${at}.usdFrom`, faults);
  return typeof symbol === "string" && areDecimals && typeof name === "string"
    ? {
        ...{ name, symbol, decimals },
        ...(isPriced ? { usdRate: String(usdRate) } : {}),
        ...(source === undefined ? {} : { usdFrom: source }),
      }
    : undefined;
}

/** The digits are as many as the database takes. */
function isRate(value: unknown): value is string | number {
  const isPlain = typeof value === "string" || typeof value === "number";
  return isPlain && /^[0-9]{1,18}([.][0-9]{1,36})?$/.test(String(value)) && /[1-9]/.test(String(value));
}

function readAddress(value: unknown, at: string, faults: string[]): string | undefined {
  if (typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase();
  faults.push(`${at}: expected an address, 0x and 40 hex digits`);
  return undefined;
}

/** The address itself stays out of the message: it may hold a key. */
export function isRpcUrl(value: unknown, at: string, faults: string[]): value is string {
  const isFine =
    typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  if (!isFine) faults.push(`${at}: expected an address that begins with http:// or https://`);
  return isFine;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
