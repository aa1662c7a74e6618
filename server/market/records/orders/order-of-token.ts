import type { Queries, Statement } from "../../../base/storage/database.ts";
import { Parameters } from "../../../base/storage/sql.ts";
import { collectionCte } from "../collectibles/ids.ts";
import { readRow } from "../json-row.ts";
import {
  bestOrder,
  isForAnyToken,
  isForToken,
  maxBandsOfNamedStatement,
  type OrderRow,
  orderFilter,
  orderJoinsOfCollection,
  orderJson,
  priceBandCte,
  rankingKeys,
  type Side,
  tokenIdSql,
  worstOrder,
} from "./order-sql.ts";
import type { OrderConditions, PriceBand } from "./price-bands.ts";

export interface TokenOrderQuery {
  readonly chainId: number;
  readonly contractAddress: string;
  readonly tokenId: string;
  readonly side: Side;
  readonly price: "lowest" | "highest";
  readonly orders: OrderConditions;
  readonly bands: readonly PriceBand[];
}

/** Returns the live order for a token with the lowest or the highest price. Offers for any token of its collection count. */
export async function orderOfToken(queries: Queries, query: TokenOrderQuery): Promise<OrderRow | undefined> {
  const [found] = await queries.query<{ readonly data: string }>(...statementOf(query));
  return found === undefined ? undefined : readRow(orderJson, found.data);
}

function statementOf(query: TokenOrderQuery): [Statement, readonly unknown[]] {
  const { side, price, bands } = query;
  const parameters = new Parameters();
  const collection = collectionCte(query.chainId, query.contractAddress, parameters);
  const band = priceBandCte(bands, parameters);
  const isOfToken = isForToken(tokenIdSql(query.tokenId, parameters));
  const filter = orderFilter(query.orders, parameters);
  const isBest = (price === "lowest") === (side === "listing");
  const best = (scope: string): string => `(${(isBest ? bestOrder : worstOrder)(side, scope, filter)})`;
  const candidates =
    side === "listing"
      ? [best(isOfToken)]
      : [best(isForAnyToken), best(`${isOfToken} and o.collectible_id is not null`)];
  const text = `
    with ${collection}, ${band}, best as (
      select * from (
      ${candidates.join(`
      union all
      `)}
      ) as found
      order by ${rankingKeys()}
      limit 1
    )
    select ${orderJson.sql} as data
    from best join market_order as o on o.id = best.id ${orderJoinsOfCollection}`;
  const isNamed = filter("") === "" && bands.length <= maxBandsOfNamedStatement;
  return [{ text, ...(isNamed ? { name: `${price}-${side}-${bands.length}` } : {}) }, parameters.values];
}
