/** What the answers of feeds and pools are worth: a rate, or why there is none. */

import type { FeedSource, PoolSource } from "../../../chain/networks/rate-sources.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { wordAt } from "../../../chain/rpc/words.ts";
import { type Decimal, readDecimal, times, writeDecimal } from "../../records/currencies/decimal.ts";

export type Verdict =
  /** Dollars for one whole unit, a plain decimal; `toldAt` in seconds since 1970. */
  { readonly rate: string; readonly toldAt: number } | { readonly reason: string };

/** What is behind the point of a rate. */
const places = 18;
/** Above it the database takes none, and nothing is worth so much. */
const rateMax = 10n ** 18n;
/** How far a feed's clock may be before ours, in seconds. */
const skewSeconds = 300;
/** More digits than any feed has. */
const feedDecimalsMax = 36n;

export interface FeedAnswers {
  /** `latestRoundData()`, `decimals()` and `description()`, as they were answered. */
  readonly round: Hex | undefined;
  readonly decimals: Hex | undefined;
  readonly description: string;
}

export function judgeFeed(
  { round, decimals, description }: FeedAnswers,
  source: FeedSource,
  nowSeconds: number,
): Verdict {
  const digits = wordAt(decimals, 0);
  const [answer, updatedAt] = [wordAt(round, 1), wordAt(round, 3)];
  if (answer === undefined || updatedAt === undefined || digits === undefined || digits > feedDecimalsMax)
    return { reason: "it does not answer as a feed does" };
  if (description !== "" && !/\busd$/i.test(description.trim()))
    return { reason: `it calls itself "${description.slice(0, 40)}", and not a price in USD` };
  if (signed(answer) <= 0n) return { reason: `its answer is ${signed(answer)}` };
  const age = BigInt(nowSeconds) - updatedAt;
  if (age < -BigInt(skewSeconds)) return { reason: "its answer is from the future" };
  if (age > BigInt(source.maxAgeSeconds))
    return { reason: `its answer is ${age} seconds old, ${source.maxAgeSeconds} are allowed` };
  return rateOf({ digits: answer, scale: Number(digits) }, Number(updatedAt));
}

export interface PoolAnswers {
  /** `token0()` and `token1()`. */
  readonly tokens: readonly (Hex | undefined)[];
  /** `getReserves()` of version 2, or `observe([window, 0])` of version 3. */
  readonly state: Hex | undefined;
  /** What the pool holds of its other side, by that token itself. */
  readonly held: Hex | undefined;
}

/** The two sides of a pool, as the configuration knows them. */
export interface Sides {
  readonly decimals: number;
  readonly otherDecimals: number;
  /** Dollars for one whole unit of the other. */
  readonly otherRate: string;
}

export function judgePool(
  answers: PoolAnswers,
  source: PoolSource,
  sides: Sides,
  nowSeconds: number,
): Verdict {
  const [token0, token1] = answers.tokens.map((answer) => addressAt(answer));
  const isFirst = token0 === source.token && token1 === source.against;
  if (!isFirst && !(token1 === source.token && token0 === source.against))
    return { reason: `it is no pool of ${source.token} and ${source.against}` };
  const held = wordAt(answers.held, 0);
  if (held === undefined) return { reason: "what it holds is not known" };
  const worth = times({ digits: held, scale: sides.otherDecimals }, readDecimal(sides.otherRate));
  if (worth.digits < BigInt(source.minUsd) * 10n ** BigInt(worth.scale))
    return { reason: `it holds less than ${source.minUsd} dollars of the other currency` };
  const price =
    source.kind === "v2"
      ? priceOfReserves(answers.state, isFirst, sides)
      : priceOfTicks(answers.state, isFirst, source, sides);
  if (typeof price === "string") return { reason: price };
  return rateOf(times(price, readDecimal(sides.otherRate)), nowSeconds);
}

/** Other for one whole unit. */
function priceOfReserves(state: Hex | undefined, isFirst: boolean, sides: Sides): Decimal | string {
  const reserves = [wordAt(state, 0), wordAt(state, 1)];
  const [own, other] = isFirst ? reserves : reserves.reverse();
  if (own === undefined || other === undefined) return "it does not answer as a pool of version 2 does";
  if (own === 0n || other === 0n) return "it is empty";
  const scale = places + sides.otherDecimals;
  return { digits: (other * 10n ** BigInt(sides.decimals + places)) / own, scale };
}

/** The geometric mean over the window: 1.0001 to the power of the mean tick is second for first, in smallest units. */
function priceOfTicks(
  state: Hex | undefined,
  isFirst: boolean,
  { windowSeconds }: PoolSource,
  { decimals, otherDecimals }: Sides,
): Decimal | string {
  // observe answers two lists: their places, and of the first its length and two entries.
  const [before, now] = [wordAt(state, 3), wordAt(state, 4)];
  if (before === undefined || now === undefined)
    return `it has not observed the last ${windowSeconds} seconds`;
  const tick = Number(signed(now) - signed(before)) / windowSeconds;
  const price = 1.0001 ** (isFirst ? tick : -tick) * 10 ** (decimals - otherDecimals);
  if (!(Number.isFinite(price) && price < 1e20)) return "its price is none";
  return readDecimal(price.toFixed(places));
}

function rateOf({ digits, scale }: Decimal, toldAt: number): Verdict {
  const cut = scale > 36 ? { digits: digits / 10n ** BigInt(scale - 36), scale: 36 } : { digits, scale };
  if (cut.digits === 0n) return { reason: "it is worth nothing" };
  if (cut.digits >= rateMax * 10n ** BigInt(cut.scale)) return { reason: "it is worth more than there is" };
  return { rate: writeDecimal(cut), toldAt };
}

function addressAt(answer: Hex | undefined): string | undefined {
  return answer?.length === 66 ? `0x${answer.slice(26)}` : undefined;
}

/** Two's complement. */
function signed(word: bigint): bigint {
  return BigInt.asIntN(256, word);
}
