import type { Hex } from "../../chain/rpc/chain.ts";
import type { SwapRequest } from "./swap.ts";

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
