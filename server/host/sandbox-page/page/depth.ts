/** Computes the depth of an order book: how much can be bought and sold up to each price. */
import type { LiveOrder } from "../snapshot.ts";

export interface DepthStep {
  /** In US dollars. */
  readonly price: number;
  /** Cumulative quantity at this price and all better ones. */
  readonly quantity: number;
}

export interface Depth {
  /** Lowest price first. */
  readonly listings: readonly DepthStep[];
  /** Highest price first. */
  readonly offers: readonly DepthStep[];
}

/** Compares orders in US dollars. Omits orders without a price in dollars. */
export function depthOf(orders: readonly LiveOrder[]): Depth {
  const ofSide = (side: string, sign: number): readonly DepthStep[] => {
    const byPrice = new Map<number, number>();
    for (const { usd, quantity, side: own } of orders)
      if (own === side && usd !== null) byPrice.set(usd, (byPrice.get(usd) ?? 0) + Number(quantity));
    let sum = 0;
    return [...byPrice]
      .sort(([a], [b]) => sign * (a - b))
      .map(([price, quantity]) => {
        sum += quantity;
        return { price, quantity: sum };
      });
  };
  return { listings: ofSide("listing", 1), offers: ofSide("offer", -1) };
}

interface BestOrders {
  /** Null: offers for any token of the collection. */
  readonly tokenId: string | null;
  readonly listing: LiveOrder | undefined;
  readonly offer: LiveOrder | undefined;
  readonly orders: number;
}

/** Returns the lowest listing and the highest offer of each token, smallest token id first. */
export function bestByToken(orders: readonly LiveOrder[]): readonly BestOrders[] {
  const found = new Map<string | null, BestOrders>();
  for (const order of orders) {
    const { tokenId, side } = order;
    const known = found.get(tokenId) ?? { tokenId, listing: undefined, offer: undefined, orders: 0 };
    found.set(tokenId, {
      tokenId,
      listing: side === "listing" ? better(known.listing, order, -1) : known.listing,
      offer: side === "offer" ? better(known.offer, order, 1) : known.offer,
      orders: known.orders + 1,
    });
  }
  return [...found.values()].sort((a, b) => compareIds(a.tokenId, b.tokenId));
}

/** An order without a price in dollars never wins against one with a price. */
function better(known: LiveOrder | undefined, order: LiveOrder, sign: 1 | -1): LiveOrder {
  if (known === undefined || known.usd === null)
    return order.usd === null && known !== undefined ? known : order;
  if (order.usd === null) return known;
  return sign * (order.usd - known.usd) > 0 ? order : known;
}

function compareIds(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** A price as text: `$1,234.50`; amounts below a cent keep three significant digits. */
export function dollars(usd: number): string {
  if (usd > 0 && usd < 0.01) return `$${usd.toPrecision(3)}`;
  return usd.toLocaleString("en-US", { style: "currency", currency: "USD" });
}
