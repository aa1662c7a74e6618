import type { Queries } from "../../../base/storage/database.ts";
import { availabilityJoin, isOpen } from "./availability-sql.ts";
import { lockChain } from "./lock-chain.ts";

/** Recomputes open orders from their facts: status, available units, fees. */
export async function updateAvailability(
  tx: Queries,
  chainId: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await lockChain(tx, chainId);
  await tx.query(ordersSql, [ids]);
}

export async function updateAvailabilityByFacts(
  tx: Queries,
  chainId: number,
  facts: readonly string[],
): Promise<void> {
  if (facts.length === 0) return;
  await lockChain(tx, chainId);
  await tx.query(factsSql, [facts]);
}

const updateSql = `
    update market_order known set
      status = computed.status, quantity_available = computed.units, fee_bps = computed.fee_bps, fee_breakdown = computed.fee_breakdown::json,
      updated_at = now()
    from (
      select o.id, availability.* from touched
      join market_order o on o.id = touched.id
      join currency on currency.id = o.currency_id
      ${availabilityJoin("o", "o.quantity_remaining")}
      where o.spender is not null and ${isOpen("o")}
    ) computed
    where known.id = computed.id
      and (known.status, known.quantity_available, known.fee_bps, known.fee_breakdown::text)
        is distinct from (computed.status, computed.units, computed.fee_bps, computed.fee_breakdown)`;

const ordersSql = {
  name: "market-update-availability",
  text: `with touched as (select unnest($1::bigint[]) as id) ${updateSql}`,
};

const factsSql = {
  name: "market-update-availability-facts",
  text: `
    with touched as materialized (
      select id from market_order where holding_id = any($1::bigint[]) and holding_id is not null and ${isOpen("market_order")}
      union
      select id from market_order where royalty_id = any($1::bigint[]) and royalty_id is not null and ${isOpen("market_order")}
    ) ${updateSql}`,
};
