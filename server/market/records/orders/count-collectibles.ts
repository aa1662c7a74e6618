import type { Queries } from "../../../base/storage/database.ts";
import { Parameters } from "../../../base/storage/sql.ts";
import { collectionCte, isShown } from "../collectibles/ids.ts";
import { isWanted, wantedTable } from "../collectibles/token-sql.ts";
import { type CollectiblesQuery, sidesOf } from "./collectibles-query.ts";
import { bestOrder, isForAnyToken, orderFilter, priceBandCte } from "./order-sql.ts";
import { isLiveInCollection, unpricedTables } from "./page-segments.ts";

type CollectiblesCount = Omit<CollectiblesQuery, "sort" | "pageSize" | "offset" | "after">;

/** Returns how many tokens `listCollectibles` lists. */
export async function countCollectibles(queries: Queries, query: CollectiblesCount): Promise<number> {
  const parameters = new Parameters();
  const collection = collectionCte(query.chainId, query.contractAddress, parameters);
  const wanted = wantedTable(query.tokens, parameters);
  const passes = (id: string): string => (wanted === undefined ? "true" : isWanted(id));
  const all = `
      select count(*) from collectible as token
      where token.collection_id = (select id from here) and ${isShown("token")} and ${passes("token.id")}`;
  const ordered = query.includeEmpty ? undefined : tokensWithOrders(query, parameters);
  const count =
    ordered === undefined
      ? all
      : `
      select case when ${ordered.isForAll} then (${all}
      ) else (
        select count(distinct collectible_id) from (${ordered.tokens}
        ) as listed where ${passes("collectible_id")}
      ) end`;
  const tables = [collection, wanted, ...(ordered?.tables ?? [])].filter((table) => table !== undefined);
  const [found] = await queries.query<{ readonly count: number }>(
    `with ${tables.join(", ")} select (${count}
    )::float8 as count`,
    parameters.values,
  );
  return found?.count ?? 0;
}

/** SQL of the tokens with an order of their own, once for each order, and of whether an offer for any token gives each token an order. */
function tokensWithOrders(query: CollectiblesCount, parameters: Parameters) {
  const sides = sidesOf(query);
  const filter = orderFilter(query.orders, parameters);
  const excludedCurrencies = query.unpricedExclusions;
  const listsUnpriced = excludedCurrencies !== undefined;
  const unpriced = { sides, filter, parameters, isNeeded: "true" };
  const own = sides.map(
    (side) => `
          select candidate.collectible_id from band cross join market_order as candidate
          where ${isLiveInCollection(side, filter).join(" and ")}`,
  );
  const forAny = listsUnpriced ? ["for_any", "unpriced_for_any"] : ["for_any"];
  return {
    tables: [
      priceBandCte(query.bands, parameters),
      `for_any as materialized (${bestOrder("offer", isForAnyToken, filter)}
      )`,
      ...(listsUnpriced ? [unpricedTables({ ...unpriced, excludedCurrencies })] : []),
    ],
    isForAll: sides.includes("offer")
      ? forAny.map((table) => `exists (select from ${table})`).join(" or ")
      : "false",
    tokens: [
      ...own,
      ...(listsUnpriced ? sides.map((side) => ` select collectible_id from unpriced_${side}`) : []),
    ].join(" union all "),
  };
}
