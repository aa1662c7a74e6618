import type { Queries, Statement } from "../../../base/storage/database.ts";
import { type CurrencyRow, currencyColumns, currencyOrder } from "../currencies/currency-list.ts";
import { isLive, type Side } from "./order-sql.ts";

/** Returns the currencies of the live orders of a collection. */
export function currenciesOfOrders(
  queries: Queries,
  chainId: number,
  contractAddress: string,
  side: Side,
): Promise<readonly CurrencyRow[]> {
  return queries.query<CurrencyRow>(ofOrdersSql[side], [chainId, contractAddress]);
}

/** Most currencies of a response: anyone can create a currency, and list tokens in it. */
const maxCurrencies = 1_000;

/** Skips from currency to currency by index. */
function usedCurrencies(side: Side, scope: string): string {
  const next = (more: string): string => `select o.currency_id from market_order as o
      where o.collection_id = (select id from here) and o.side = '${side}'${scope} and ${isLive("o")}${more}
      order by o.currency_id limit 1`;
  return `
      (${next("")})
      union all
      select (${next(" and o.currency_id > used.id")}) from used where used.id is not null`;
}

function ofOrders(side: Side, scopes: readonly string[]): Statement {
  const used = scopes.map(
    (scope) => `
    select * from (
      with recursive used (id) as (${usedCurrencies(side, scope)}
      ) select id from used where id is not null limit ${maxCurrencies}
    ) as part`,
  );
  return {
    name: `currencies-of-${side}s`,
    text: `
    with here as materialized (select id from collection where chain_id = $1 and address = $2)
    ${currencyColumns} where id in (${used.join(" union ")}
    ) ${currencyOrder} limit ${maxCurrencies}`,
  };
}

const ofOrdersSql: Readonly<Record<Side, Statement>> = {
  listing: ofOrders("listing", [" and o.collectible_id is not null"]),
  offer: ofOrders("offer", [" and o.collectible_id is not null", " and o.collectible_id is null"]),
};
