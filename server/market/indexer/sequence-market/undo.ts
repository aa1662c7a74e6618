import type { ChainTransaction } from "../../../chain/follower/derive/deriver.ts";
import { sequenceKinds } from "../../../chain/networks/markets.ts";
import type { ChangedOrder } from "./orders.ts";

/** Stores the previous states of orders for blocks that can still be reorganised. */
export async function storePreviousStates(
  tx: ChainTransaction,
  orders: readonly ChangedOrder[],
): Promise<void> {
  const [first] = await tx.query<{ readonly number: string | null }>(lowestSql, [tx.chainId]);
  if (first !== undefined) await tx.query(forgetSql, [tx.chainId, first.number]);
  const rows = orders.flatMap(({ id, request }) =>
    request.previous.map(
      ({ block, state }) =>
        [
          tx.chainId,
          block,
          id,
          state === undefined ? null : String(state.remaining),
          state?.isCancelled ?? null,
          state === undefined ? null : new Date(state.changedAt * 1_000),
          state?.changedBlock ?? null,
        ] as const,
    ),
  );
  if (rows.length > 0) await tx.copy("market_undo", columns, rows);
}

const columns = [
  "chain_id",
  "block_number",
  "order_id",
  "remaining",
  "is_cancelled",
  "changed_at",
  "changed_block",
];

/** The lowest block that can still be reorganised. */
const lowestSql = {
  name: "market-undo-lowest",
  text: `
    select least((select min(number) from follower_block where chain_id = $1),
      (select min(number) from follower_rewound where chain_id = $1)) as number`,
};

const forgetSql = {
  name: "market-undo-forget",
  text: "delete from market_undo where chain_id = $1 and block_number < $2",
};

/** Restores the states before this block, and returns the ids of orders that are open again. Their availability must then be updated. */
export async function restorePreviousStates(
  tx: ChainTransaction,
  fromBlock: number,
): Promise<readonly string[]> {
  const rows = await tx.query<{ readonly id: string; readonly is_open: boolean }>(restoreSql, [
    tx.chainId,
    fromBlock,
  ]);
  const restored = rows.filter(({ is_open }) => is_open).map(({ id }) => id);
  const [window] = await tx.query<{ readonly reaches: boolean }>(reachesSql, [tx.chainId, fromBlock]);
  if (window?.reaches === true) return restored;
  const reset = await tx.query<{ readonly id: string }>(resetSql, [tx.chainId, fromBlock, sequenceKinds]);
  return [...new Set([...restored, ...reset.map(({ id }) => id)])];
}

/** Whether all blocks from this one on can be undone. */
const reachesSql = {
  name: "market-undo-reaches",
  text: "select exists (select from follower_block where chain_id = $1 and number < $2) as reaches",
};

/**
 * For a reorganisation that is deeper than the window: deletes orders that later blocks created, and resets orders that later blocks
 * changed to their creation. Reading the blocks again yields the changes since, except partial fills before the block: those need a
 * reindex.
 */
const resetSql = {
  name: "market-undo-deep",
  text: `
    with deleted as (
      delete from market_order gone using collection
      where collection.id = gone.collection_id and collection.chain_id = $1 and gone.origin = 'chain'
        and gone.marketplace = any($3::market_kind[]) and gone.block_number >= $2
    )
    update market_order known set
      status = 'inactive', quantity_remaining = quantity_initial, quantity_available = 0,
      order_updated_at = order_created_at, changed_block = null, updated_at = now()
    from collection
    where collection.id = known.collection_id and collection.chain_id = $1 and known.origin = 'chain'
      and known.marketplace = any($3::market_kind[]) and known.block_number < $2 and known.changed_block >= $2
    returning known.id`,
};

const restoreSql = {
  name: "market-undo-take-back",
  text: `
    with gone as (
      delete from market_undo where chain_id = $1 and block_number >= $2 returning *
    ), before as materialized (
      select distinct on (order_id) * from gone order by order_id, id
    ), deleted as (
      delete from market_order using before where market_order.id = before.order_id and before.remaining is null
    )
    update market_order known set
      status = case when before.remaining = 0 then 'filled' when before.is_cancelled then 'cancelled' else 'inactive' end::order_status,
      quantity_remaining = before.remaining, quantity_available = 0, order_updated_at = before.changed_at,
      changed_block = before.changed_block, updated_at = now()
    from before
    where known.id = before.order_id and before.remaining is not null
    returning known.id, known.status = 'inactive' as is_open`,
};
