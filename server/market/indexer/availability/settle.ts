import type { Queries } from "../../../base/storage/database.ts";
import { isOpen, outlook } from "./outlook.ts";
import { takeTurn } from "./turn.ts";

/** Makes open orders what the facts that they hang on say: active or not, how many units are to be had, what is due to others. */
export async function settleOrders(tx: Queries, chainId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await takeTurn(tx, chainId);
  await tx.query(ordersSql, [ids]);
}

/** The same of all open orders that hang on any of these facts. */
export async function settleOrdersOf(tx: Queries, chainId: number, facts: readonly string[]): Promise<void> {
  if (facts.length === 0) return;
  await takeTurn(tx, chainId);
  await tx.query(factsSql, [facts]);
}

const settle = `
    update market_order known set
      status = told.status, quantity_available = told.units, fee_bps = told.fee_bps, fee_breakdown = told.fee_breakdown::json,
      updated_at = now()
    from (
      select o.id, outlook.* from touched
      join market_order o on o.id = touched.id
      join currency on currency.id = o.currency_id
      ${outlook("o", "o.quantity_remaining")}
      where o.spender is not null and ${isOpen("o")}
    ) told
    where known.id = told.id
      and (known.status, known.quantity_available, known.fee_bps, known.fee_breakdown::text)
        is distinct from (told.status, told.units, told.fee_bps, told.fee_breakdown)`;

const ordersSql = {
  name: "market-settle",
  text: `with touched as (select unnest($1::bigint[]) as id) ${settle}`,
};

const factsSql = {
  name: "market-settle-facts",
  text: `
    with touched as materialized (
      select id from market_order where holding_id = any($1::bigint[]) and holding_id is not null and ${isOpen("market_order")}
      union
      select id from market_order where royalty_id = any($1::bigint[]) and royalty_id is not null and ${isOpen("market_order")}
    ) ${settle}`,
};
