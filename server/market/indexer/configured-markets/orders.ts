import type { Queries } from "../../../base/storage/database.ts";
import type { Market } from "../../../chain/networks/markets.ts";

type MarketKey = Pick<Market, "kind" | "address">;

/** Orders per statement: few enough to stay below the statement time-out. */
const batchSize = 5_000;

/** Deactivates the orders of a market whose events are no longer followed. Requires the chain lock. */
export async function deactivateOrders(tx: Queries, chainId: number, market: MarketKey): Promise<void> {
  const values = [chainId, marketplaceOf(market), addressOf(market)];
  await tx.query(deactivateRecentSql, values);
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows: readonly { readonly maker: string }[] = await tx.query(deactivateSql, [
      ...values,
      after,
      batchSize,
    ]);
    after =
      rows.length < batchSize
        ? undefined
        : rows
            .map(({ maker }) => maker)
            .toSorted()
            .at(-1);
  }
}

/** Restores the orders' spender, so that the availability checker watches them again. Requires the chain lock. */
export async function reactivateOrders(tx: Queries, chainId: number, market: MarketKey): Promise<void> {
  const values = [chainId, marketplaceOf(market), addressOf(market)];
  for (let count = batchSize; count === batchSize; )
    count = (await tx.query(reactivateSql, [...values, batchSize])).length;
}

/** The value of `marketplace` in the orders of a market. */
function marketplaceOf({ kind }: MarketKey): string {
  return kind === "seaport" ? "opensea" : kind;
}

/** The spender of a market's orders. Null for Seaport, whose orders use many conduits. */
function addressOf({ kind, address }: MarketKey): string | null {
  return kind === "seaport" ? null : address;
}

const setInactive = `
    set left_spender = o.spender, spender = null, holding_id = null, royalty_id = null, quantity_available = 0,
      status = case o.status when 'active' then 'inactive' else o.status end, updated_at = now()`;

const isOfMarket = (spender: string): string =>
  `o.origin = 'chain' and o.marketplace = $2::market_kind and o.${spender} is not null and ($3::text is null or o.${spender} = $3)
      and exists (select from collection where collection.id = o.collection_id and collection.chain_id = $1)`;

/** Uses the index of makers, so the conditions must match its predicate. */
const deactivateSql = `
  update market_order o ${setInactive}
  from (
    select o.id from market_order o
    where ${isOfMarket("spender")} and o.created_by >= $4 and o.status in ('active', 'inactive', 'decimals_missing', 'expired')
    order by o.created_by limit $5
  ) open
  where o.id = open.id
  returning o.created_by as maker`;

/** Also deactivates recently closed orders, which may reopen if a block is reorganised. */
const deactivateRecentSql = `
  update market_order o ${setInactive}
  where ${isOfMarket("spender")} and o.id = any(array(
    select order_id from market_undo where chain_id = $1
    union all
    select seaport_order.order_id from follower_block block
    join seaport_change change on change.chain_id = block.chain_id and change.block_hash = block.hash
    join seaport_order on seaport_order.chain_id = block.chain_id and seaport_order.offerer = change.offerer
    where block.chain_id = $1
  ))`;

const reactivateSql = `
  update market_order o set spender = o.left_spender, left_spender = null, updated_at = now()
  from (select o.id from market_order o where ${isOfMarket("left_spender")} limit $4) gone
  where o.id = gone.id
  returning 1`;
