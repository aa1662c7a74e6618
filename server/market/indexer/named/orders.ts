import type { Queries } from "../../../base/storage/database.ts";
import type { Market } from "../../../chain/networks/markets.ts";

type Name = Pick<Market, "kind" | "address">;

/** Orders of one statement, so that it ends in time. */
const batch = 5_000;

/** Orders of this market may be live no more: nobody sees what becomes of them. In the turn of the chain. */
export async function leaveOrders(tx: Queries, chainId: number, market: Name): Promise<void> {
  const values = [chainId, marketplaceOf(market), addressOf(market)];
  await tx.query(leaveRecentSql, values);
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows: readonly { readonly maker: string }[] = await tx.query(leaveSql, [...values, after, batch]);
    after =
      rows.length < batch
        ? undefined
        : rows
            .map(({ maker }) => maker)
            .toSorted()
            .at(-1);
  }
}

/** They are followed again, and found by whoever looks for what they hang on. In the turn of the chain. */
export async function returnOrders(tx: Queries, chainId: number, market: Name): Promise<void> {
  const values = [chainId, marketplaceOf(market), addressOf(market)];
  for (let count = batch; count === batch; ) count = (await tx.query(returnSql, [...values, batch])).length;
}

/** Of its orders. */
function marketplaceOf({ kind }: Name): string {
  return kind === "seaport" ? "opensea" : kind;
}

/** Who takes what is sold; null: one of many conduits. */
function addressOf({ kind, address }: Name): string | null {
  return kind === "seaport" ? null : address;
}

const set = `
    set left_spender = o.spender, spender = null, holding_id = null, royalty_id = null, quantity_available = 0,
      status = case o.status when 'active' then 'inactive' else o.status end, updated_at = now()`;

const isOfMarket = (spender: string): string =>
  `o.origin = 'chain' and o.marketplace = $2::market_kind and o.${spender} is not null and ($3::text is null or o.${spender} = $3)
      and exists (select from collection where collection.id = o.collection_id and collection.chain_id = $1)`;

/** By the index of makers, whose conditions this says word for word. */
const leaveSql = `
  update market_order o ${set}
  from (
    select o.id from market_order o
    where ${isOfMarket("spender")} and o.created_by >= $4 and o.status in ('active', 'inactive', 'decimals_missing', 'expired')
    order by o.created_by limit $5
  ) open
  where o.id = open.id
  returning o.created_by as maker`;

/** What is over may be open again when a block leaves. */
const leaveRecentSql = `
  update market_order o ${set}
  where ${isOfMarket("spender")} and o.id = any(array(
    select order_id from market_undo where chain_id = $1
    union all
    select seaport_order.order_id from follower_block block
    join seaport_change change on change.chain_id = block.chain_id and change.block_hash = block.hash
    join seaport_order on seaport_order.chain_id = block.chain_id and seaport_order.offerer = change.offerer
    where block.chain_id = $1
  ))`;

const returnSql = `
  update market_order o set spender = o.left_spender, left_spender = null, updated_at = now()
  from (select o.id from market_order o where ${isOfMarket("left_spender")} limit $4) gone
  where o.id = gone.id
  returning 1`;
