import type { Queries } from "../../../base/storage/database.ts";
import { isOpen, lockChain } from "./availability-sql.ts";

/**
 * Starts to track whether the makers of these orders can deliver. New facts are read within moments; until then the orders are inactive.
 * Skips closed orders and those already watched.
 */
export async function watchOrders(tx: Queries, chainId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const revision = await lockChain(tx, chainId);
  const added = await tx.query(contractsSql, [chainId, ids, revision + 1]);
  if (added.length > 0)
    await tx.query("update market_chain set revision = $2 where chain_id = $1", [chainId, revision + 1]);
  await tx.query(factsSql, [chainId, ids]);
  await tx.query(linkSql, [chainId, ids]);
}

/**
 * The facts that these orders depend on. A listing needs the token, an offer needs its price in the currency. `spender` is the contract
 * that would take the token or the currency.
 */
const terms = `
  select o.id, o.created_by as holder, o.spender, collection.address as collection, token.token_id as royalty_token_id,
    case when o.side = 'listing' then collection.address else currency.address end as contract,
    case when o.side = 'listing' then token.token_id end as token_id,
    -- Seaport orders contain their fees.
    o.marketplace in ('sequence_marketplace_v1', 'sequence_marketplace_v2') as pays_royalty
  from market_order o
  join collection on collection.id = o.collection_id and collection.chain_id = $1
  join currency on currency.id = o.currency_id
  left join collectible token on token.id = o.collectible_id
  left join market_fact holding on holding.id = o.holding_id
  where o.id = any($2::bigint[]) and o.spender is not null and ${isOpen("o")} and holding.id is null`;

const contractsSql = {
  name: "market-watch-contracts",
  text: `
    with term as (${terms})
    insert into market_contract (chain_id, address, revision)
    select distinct $1::bigint, contract, $3::bigint from term
    where not exists (select from market_contract known where known.chain_id = $1 and known.address = term.contract)
    on conflict do nothing
    returning 1`,
};

const factsSql = {
  name: "market-watch-facts",
  text: `
    with term as (${terms}), fact as (
      select 'holding'::market_fact_kind as kind, contract, token_id, holder, spender from term
      union
      select 'royalty', collection, royalty_token_id, null, spender from term where pays_royalty
    )
    insert into market_fact (chain_id, kind, contract, token_id, holder, spender)
    select $1, kind, contract, token_id, holder, spender from fact
    order by contract, token_id, holder, spender
    on conflict do nothing`,
};

const linkSql = {
  name: "market-watch-link",
  text: `
    with term as (${terms})
    update market_order o set holding_id = holding.id, royalty_id = royalty.id
    from term
    join market_fact holding on holding.chain_id = $1 and holding.kind = 'holding' and holding.contract = term.contract
      and holding.token_id is not distinct from term.token_id and holding.holder = term.holder and holding.spender = term.spender
    left join market_fact royalty on term.pays_royalty and royalty.chain_id = $1 and royalty.kind = 'royalty'
      and royalty.contract = term.collection and royalty.token_id is not distinct from term.royalty_token_id and royalty.spender = term.spender
    where o.id = term.id`,
};
