import type { Queries, Statement } from "../../../base/storage/database.ts";
import { readRow } from "../json-row.ts";
import { Parameters } from "../parameters.ts";
import type { Lane, OrderConditions } from "./lanes.ts";
import { type OrderRow, orderJoinsOfCollection, orderJson } from "./order-columns.ts";
import {
  bestOrder,
  collectionCte,
  isForAnyToken,
  isForToken,
  laneCte,
  maxLanesOfNamedStatement,
  orderFilter,
  rankingKeys,
} from "./order-sql.ts";

export interface OfferQuery {
  readonly chainId: number;
  readonly contractAddress: string;
  readonly tokenId: string;
  readonly conditions: OrderConditions;
  readonly lanes: readonly Lane[];
}

/** Returns the highest live offer for a token, or for any token of its collection. */
export async function highestOffer(queries: Queries, query: OfferQuery): Promise<OrderRow | undefined> {
  const [found] = await queries.query<{ readonly data: string }>(...statementOf(query));
  return found === undefined ? undefined : readRow(orderJson, found.data);
}

function statementOf({
  chainId,
  contractAddress,
  tokenId,
  conditions,
  lanes,
}: OfferQuery): [Statement, readonly unknown[]] {
  const parameters = new Parameters();
  const collection = collectionCte(chainId, contractAddress, parameters);
  const lane = laneCte(lanes, parameters);
  const token = parameters.bind(tokenId, "numeric");
  const tokenIdSql = `(select id from collectible where collection_id = (select id from here) and token_id = ${token})`;
  const filter = orderFilter(conditions, parameters);
  const text = `
    with ${collection}, ${lane}, best as (
      (${bestOrder("offer", isForAnyToken, filter)})
      union all
      (${bestOrder("offer", `${isForToken(tokenIdSql)} and o.collectible_id is not null`, filter)})
      order by ${rankingKeys()}
      limit 1
    )
    select ${orderJson.sql} as data
    from best join market_order as o on o.id = best.id ${orderJoinsOfCollection}`;
  const isNamed = filter("") === "" && lanes.length <= maxLanesOfNamedStatement;
  return [{ text, ...(isNamed ? { name: `highest-offer-${lanes.length}` } : {}) }, parameters.values];
}
