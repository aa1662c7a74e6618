/** Computes rates from the responses of feeds and pools, or the reason why there is none. */

import type { FeedSource, PoolSource } from "../../../chain/networks/rate-sources.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { wordAt } from "../../../chain/rpc/hex.ts";
import { type Decimal, readDecimal, times, writeDecimal } from "../../records/currencies/currency.ts";

export type RateResult =
  /** Dollars per whole unit, a plain decimal; `reportedAt` in seconds since 1970. */
  { readonly rate: string; readonly reportedAt: number } | { readonly reason: string };

/** Decimals of a computed price. */
const priceDigits = 18;
/** Upper bound of rates, which the database enforces too. */
const maxRate = 10n ** 18n;
/** How far a feed's clock may be ahead, in seconds. */
const maxClockSkewSeconds = 300;
/** Most decimals that a feed may have. */
const maxFeedDecimals = 36n;

export interface FeedResponses {
  /** Raw results of `latestRoundData()`, `decimals()` and `description()`. */
  readonly round: Hex | undefined;
  readonly decimals: Hex | undefined;
  readonly description: string;
}

export function evaluateFeed(
  { round, decimals, description }: FeedResponses,
  source: FeedSource,
  nowSeconds: number,
): RateResult {
  const digits = wordAt(decimals, 0);
  const [price, updatedAt] = [wordAt(round, 1), wordAt(round, 3)];
  if (price === undefined || updatedAt === undefined || digits === undefined || digits > maxFeedDecimals)
    return { reason: "it does not respond like a price feed" };
  if (description !== "" && !/\busd$/i.test(description.trim()))
    return { reason: `its description is "${description.slice(0, 40)}", which is not a price in USD` };
  if (signed(price) <= 0n) return { reason: `its price is ${signed(price)}` };
  const age = BigInt(nowSeconds) - updatedAt;
  if (age < -BigInt(maxClockSkewSeconds)) return { reason: "its price is from the future" };
  if (age > BigInt(source.maxAgeSeconds))
    return { reason: `its price is ${age} seconds old, at most ${source.maxAgeSeconds} are allowed` };
  return rateOf({ digits: price, scale: Number(digits) }, Number(updatedAt));
}

export interface PoolResponses {
  /** `token0()` and `token1()`. */
  readonly tokens: readonly (Hex | undefined)[];
  /** `getReserves()` of version 2, or `observe([window, 0])` of version 3. */
  readonly state: Hex | undefined;
  /** Balance of the other token, as that token reports it. */
  readonly held: Hex | undefined;
}

/** The two currencies of a pool, as configured. */
export interface PoolSides {
  readonly decimals: number;
  readonly otherDecimals: number;
  /** Dollars per whole unit of the other currency. */
  readonly otherRate: string;
}

export function evaluatePool(
  responses: PoolResponses,
  source: PoolSource,
  sides: PoolSides,
  nowSeconds: number,
): RateResult {
  const [token0, token1] = responses.tokens.map((response) => addressAt(response));
  const isFirst = token0 === source.token && token1 === source.against;
  if (!isFirst && !(token1 === source.token && token0 === source.against))
    return { reason: `it is not a pool of ${source.token} and ${source.against}` };
  const held = wordAt(responses.held, 0);
  if (held === undefined) return { reason: "its balance of the other currency is unknown" };
  const heldUsd = times({ digits: held, scale: sides.otherDecimals }, readDecimal(sides.otherRate));
  if (heldUsd.digits < BigInt(source.minUsd) * 10n ** BigInt(heldUsd.scale))
    return { reason: `it holds less than ${source.minUsd} dollars of the other currency` };
  const price =
    source.kind === "v2"
      ? priceOfReserves(responses.state, isFirst, sides)
      : priceOfTicks(responses.state, isFirst, source, sides);
  if (typeof price === "string") return { reason: price };
  return rateOf(times(price, readDecimal(sides.otherRate)), nowSeconds);
}

/** Price of one whole unit in the other currency. */
function priceOfReserves(state: Hex | undefined, isFirst: boolean, sides: PoolSides): Decimal | string {
  const reserves = [wordAt(state, 0), wordAt(state, 1)];
  const [own, other] = isFirst ? reserves : reserves.reverse();
  if (own === undefined || other === undefined) return "it does not respond like a version 2 pool";
  if (own === 0n || other === 0n) return "it is empty";
  const scale = priceDigits + sides.otherDecimals;
  return { digits: (other * 10n ** BigInt(sides.decimals + priceDigits)) / own, scale };
}

/** Geometric mean price over the window: 1.0001 to the power of the mean tick is the amount of token1 per token0, in smallest units. */
function priceOfTicks(
  state: Hex | undefined,
  isFirst: boolean,
  { windowSeconds }: PoolSource,
  { decimals, otherDecimals }: PoolSides,
): Decimal | string {
  // `observe` returns two arrays: two offsets, then the length and two entries of the first.
  const [before, now] = [wordAt(state, 3), wordAt(state, 4)];
  if (before === undefined || now === undefined)
    return `it has not observed the last ${windowSeconds} seconds`;
  const tick = Number(signed(now) - signed(before)) / windowSeconds;
  const price = 1.0001 ** (isFirst ? tick : -tick) * 10 ** (decimals - otherDecimals);
  if (!(Number.isFinite(price) && price < 1e20)) return "its price is out of range";
  return readDecimal(price.toFixed(priceDigits));
}

function rateOf({ digits, scale }: Decimal, reportedAt: number): RateResult {
  const truncated =
    scale > 36 ? { digits: digits / 10n ** BigInt(scale - 36), scale: 36 } : { digits, scale };
  if (truncated.digits === 0n) return { reason: "its rate is 0" };
  if (truncated.digits >= maxRate * 10n ** BigInt(truncated.scale))
    return { reason: "its rate is too high: expected less than 10^18" };
  return { rate: writeDecimal(truncated), reportedAt };
}

function addressAt(response: Hex | undefined): string | undefined {
  return response?.length === 66 ? `0x${response.slice(26)}` : undefined;
}

/** Reads a word as two's complement. */
function signed(word: bigint): bigint {
  return BigInt.asIntN(256, word);
}
