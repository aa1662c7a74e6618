import type { TokenConditions } from "../collectibles/token-sql.ts";
import type { PageCursor, SortKey } from "./collectible-sort.ts";
import type { Lane, OrderConditions } from "./lanes.ts";
import type { Side } from "./order-sql.ts";

export interface CollectiblesQuery {
  readonly chainId: number;
  readonly contractAddress: string;
  /** Undefined: both sides, listings before offers. */
  readonly side: Side | undefined;
  readonly includeEmpty: boolean;
  readonly orders: OrderConditions;
  readonly tokens: TokenConditions;
  readonly lanes: readonly Lane[];
  /**
   * Ids of the currencies that the unpriced segments exclude. Tokens whose only live orders are in other currencies follow all tokens with
   * an order in a lane. Undefined: there are no unpriced segments, and such tokens count as tokens without an order.
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
