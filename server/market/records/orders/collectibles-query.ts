import type { TokenConditions } from "../collectibles/token-sql.ts";
import type { PageCursor, SortKey } from "./collectible-sort.ts";
import type { Side } from "./order-sql.ts";
import type { OrderConditions, PriceBand } from "./price-bands.ts";

export interface CollectiblesQuery {
  readonly chainId: number;
  readonly contractAddress: string;
  /** Undefined: both sides, listings before offers. */
  readonly side: Side | undefined;
  readonly includeEmpty: boolean;
  readonly orders: OrderConditions;
  readonly tokens: TokenConditions;
  readonly bands: readonly PriceBand[];
  /**
   * Tokens whose only live orders are in currencies without a rate come after all tokens with an order in a band. These are the ids of the
   * currencies to skip when such orders are read: those with a rate, and those that the filter excludes. Undefined: no such orders are read,
   * and their tokens count as tokens without an order.
   */
  readonly unpricedExclusions?: readonly number[] | undefined;
  /** Empty for best price. */
  readonly sort: readonly SortKey[];
  readonly pageSize: number;
  /** Entries to skip, from the start or after `after`. */
  readonly offset: number;
  readonly after?: PageCursor | undefined;
}

export function sidesOf({ side }: CollectiblesQuery): readonly Side[] {
  return side === undefined ? ["listing", "offer"] : [side];
}
