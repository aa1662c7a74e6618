import type { Hex } from "../../chain/rpc/chain.ts";
import type { SwapAsk } from "./swap.ts";

/** What every source of liquidity is asked. */
export interface OfferAsk extends SwapAsk {
  /** Who sends the swap; undefined if only its price is asked. */
  readonly user: Hex | undefined;
  /** Ended when nobody waits for it any more. */
  readonly signal: AbortSignal | undefined;
}

/** A way to buy exactly the amount. */
export interface Offer {
  /** In the smallest unit of the sold currency. */
  readonly price: bigint;
  /** Contract to call, and to approve. */
  readonly to: Hex;
  /** What `to` may take of the user's sold currency already; undefined if that is still to be asked. */
  readonly allowance: bigint | undefined;
  /** Call data that costs at most this. */
  readonly write: (maxPrice: bigint, user: Hex) => Promise<Hex>;
}

/** The cheapest; the earlier one of two that cost the same. */
export function cheapest(offers: readonly (Offer | undefined)[]): Offer | undefined {
  return offers.reduce(
    (best, offer) => (offer !== undefined && (best === undefined || offer.price < best.price) ? offer : best),
    undefined,
  );
}
