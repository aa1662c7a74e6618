import type { TokenConditions } from "../collectibles/token-sql.ts";
import type { PageEnd, SortKey } from "./collectible-sort.ts";
import type { Lane, OrderConditions } from "./competition.ts";
import type { Side } from "./order-sql.ts";

export interface CollectiblesAsk {
  readonly chainId: number;
  readonly contractAddress: string;
  /** Undefined: both sides, and a listing goes before an offer. */
  readonly side: Side | undefined;
  readonly includeEmpty: boolean;
  readonly orders: OrderConditions;
  readonly tokens: TokenConditions;
  readonly lanes: readonly Lane[];
  /**
   * Ids of the currencies that never count as unpriced. Tokens whose only live orders are in other currencies follow all tokens with an
   * order in a lane. Undefined: such tokens count as tokens without an order.
   */
  readonly unpricedExcept?: readonly number[] | undefined;
  /** Empty: by best price. */
  readonly sort: readonly SortKey[];
  readonly pageSize: number;
  /** Entries to leave out, counted from the start or from the end of another page. */
  readonly offset: number;
  readonly end?: PageEnd | undefined;
}

/** The sides whose best orders are listed. */
export function sidesOf({ side }: CollectiblesAsk): readonly Side[] {
  return side === undefined ? ["listing", "offer"] : [side];
}
