import type { Exchange } from "../../chain/networks/exchanges.ts";
import { zeroAddress } from "../../chain/networks/network.ts";
import type { Hex } from "../../chain/rpc/chain.ts";

/** A request to buy an exact amount. Both currencies are lower case; `nativeCoin` stands for the native coin. */
export interface SwapRequest {
  readonly sell: Hex;
  readonly buy: Hex;
  /** In the smallest unit of the bought currency. */
  readonly amount: bigint;
  /** 0 to 50; may have decimals. */
  readonly slippagePercentage: number;
}

/** The cheapest price. Amounts are in the smallest unit of the sold currency. */
export interface SwapPrice {
  readonly price: bigint;
  readonly maxPrice: bigint;
  /** Amount of the native coin to send with the transaction. */
  readonly value: bigint;
}

export interface SwapQuote extends SwapPrice {
  /** The user's balance of the sold currency. */
  readonly balance: bigint;
  readonly to: Hex;
  readonly data: Hex;
  /** Call data for approving the sold token first; undefined if no approval is needed. */
  readonly approval: Hex | undefined;
}

/** A path from the sold currency to the bought one through pools of one exchange. */
export interface Route {
  readonly exchange: Exchange;
  /** The native coin appears as its wrapped token. A single token is wrapped or unwrapped. */
  readonly tokens: readonly Hex[];
  /** The fee of each hop's pool; meaningless for Uniswap v2. */
  readonly fees: readonly number[];
  readonly price: bigint;
  /** The price of a thousandth of the amount, or of the amount itself if it is below 1000. */
  readonly probe: bigint;
}

export interface SwapTerms {
  readonly route: Route;
  readonly request: SwapRequest;
  readonly maxPrice: bigint;
  readonly user: Hex;
  /** Seconds since 1970. */
  readonly deadline: bigint;
}

export interface OfferRequest extends SwapRequest {
  /** The sender of the swap; undefined if only the price is requested. */
  readonly user: Hex | undefined;
  /** Aborted when no caller waits for the offer any more. */
  readonly signal?: AbortSignal | undefined;
  /** Callers take turns at the limits of nodes. */
  readonly caller?: string | undefined;
}

/** An offer to buy exactly the requested amount. */
export interface Offer {
  /** In the smallest unit of the sold currency. */
  readonly price: bigint;
  /** Contract to call, and to approve. */
  readonly to: Hex;
  /** The user's current allowance for `to`; undefined if it was not read. */
  readonly allowance: bigint | undefined;
  /** Whether the price cannot change until execution, so that no slippage is added. */
  readonly hasFixedPrice: boolean;
  /** How far the swap itself worsens the rate, from 0 to below 100; undefined if no pools are used, or it is not known. */
  readonly priceImpactPercent: number | undefined;
  /** Encodes the swap, with a limit on its price. */
  readonly encodeCall: (maxPrice: bigint, user: Hex) => Promise<Hex>;
}

/** Returns the cheapest offer, or the first one if several are equally cheap. */
export function cheapest(offers: readonly (Offer | undefined)[]): Offer | undefined {
  return offers.reduce(
    (best, offer) => (offer !== undefined && (best === undefined || offer.price < best.price) ? offer : best),
    undefined,
  );
}

/** The address that stands for a chain's native coin in this API. */
export const nativeCoin: Hex = `0x${"e".repeat(40)}`;

/** The zero address is accepted for the native coin too, as in other APIs. */
export function readCurrency(address: string): Hex {
  return address === zeroAddress ? nativeCoin : (address as Hex);
}

/** `price × (100 + slippagePercentage) / 100`, exact and rounded up: 100 at 0.5 % → 101. The percentage is 0 to 50. */
export function maxPriceOf(price: bigint, slippagePercentage: number): bigint {
  const { digits, scale } = readDecimal(slippagePercentage);
  const whole = 100n * scale;
  return (price * (whole + digits) + whole - 1n) / whole;
}

/** 0.5 → 5 / 10. Reads the number's decimal form, because that is what the caller sent. */
function readDecimal(value: number): { readonly digits: bigint; readonly scale: bigint } {
  const text = String(value);
  const [whole = "0", fraction = ""] = (text.includes("e") ? value.toFixed(20) : text).split(".");
  return { digits: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) };
}

/**
 * How far a swap worsens its own rate: at 20 %, the rate of a very small swap would buy the amount for 80 % of the price. From 0
 * to below 100. Fees of pools do not count, because both rates contain them.
 */
export function priceImpactPercent({ price, probe }: Route, amount: bigint): number {
  // Pools round prices up, so the impact of tiny amounts is underestimated.
  const undisturbed = (probe * amount) / (amount < 1_000n ? amount : amount / 1_000n);
  return undisturbed >= price ? 0 : Number(((price - undisturbed) * 1_000_000n) / price) / 10_000;
}
