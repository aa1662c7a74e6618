import type { Queries, Statement } from "../../../base/storage/database.ts";
import { Parameters } from "../../../base/storage/sql.ts";
import { readRow } from "../json-row.ts";
import {
  bestOrder,
  collectionCte,
  isForAnyToken,
  isForToken,
  maxBandsOfNamedStatement,
  type OrderRow,
  orderFilter,
  orderJoinsOfCollection,
  orderJson,
  priceBandCte,
  rankingKeys,
} from "./order-sql.ts";
import type { OrderConditions, PriceBand } from "./price-bands.ts";

export interface OfferQuery {
  readonly chainId: number;
  readonly contractAddress: string;
  readonly tokenId: string;
  readonly conditions: OrderConditions;
  readonly bands: readonly PriceBand[];
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
  bands,
}: OfferQuery): [Statement, readonly unknown[]] {
  const parameters = new Parameters();
  const collection = collectionCte(chainId, contractAddress, parameters);
  const band = priceBandCte(bands, parameters);
  const token = parameters.bind(tokenId, "numeric");
  const tokenIdSql = `(select id from collectible where collection_id = (select id from here) and token_id = ${token})`;
  const filter = orderFilter(conditions, parameters);
  const text = `
    with ${collection}, ${band}, best as (
      (${bestOrder("offer", isForAnyToken, filter)})
      union all
      (${bestOrder("offer", `${isForToken(tokenIdSql)} and o.collectible_id is not null`, filter)})
      order by ${rankingKeys()}
      limit 1
    )
    select ${orderJson.sql} as data
    from best join market_order as o on o.id = best.id ${orderJoinsOfCollection}`;
  const isNamed = filter("") === "" && bands.length <= maxBandsOfNamedStatement;
  return [{ text, ...(isNamed ? { name: `highest-offer-${bands.length}` } : {}) }, parameters.values];
}
