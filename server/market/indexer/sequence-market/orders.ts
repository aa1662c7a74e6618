import { plainArray } from "../../../base/storage/sql.ts";
import type { ChainTransaction } from "../../../chain/follower/derive/deriver.ts";
import type { SequenceKind } from "../../../chain/networks/markets.ts";
import { lastChangeBlock } from "../../records/orders/order-sql.ts";
import type { Request, RequestKey, RequestState } from "./request-registry.ts";

export interface MakerName {
  readonly marketplace: SequenceKind;
  readonly maker: string;
}

export interface StoredOrder {
  readonly id: string;
  readonly key: RequestKey;
  readonly maker: string;
  readonly state: RequestState;
}

/** Returns stored orders: those with these keys, and the open ones of these makers. */
export async function readOrders(
  tx: ChainTransaction,
  keys: readonly RequestKey[],
  invalidated: readonly MakerName[],
): Promise<readonly StoredOrder[]> {
  const named =
    keys.length === 0 ? [] : await tx.query<StoredRow>(namedSql, [tx.chainId, ...columnsOf(keys)]);
  const makers = new Map(
    invalidated.map(({ marketplace, maker }) => [`${marketplace} ${maker}`, { marketplace, maker }]),
  );
  const open =
    makers.size === 0
      ? []
      : await tx.query<StoredRow>(ofMakersSql, [
          tx.chainId,
          plainArray([...makers.values()].map(({ marketplace }) => marketplace)),
          plainArray([...makers.values()].map(({ maker }) => maker)),
        ]);
  const rows = new Map([...named, ...open].map((row) => [row.id, row]));
  return [...rows.values()].map(
    ({
      id,
      collection,
      marketplace,
      order_id,
      maker,
      remaining,
      is_cancelled,
      changed_at,
      changed_block,
    }) => ({
      id,
      key: { marketplace, collection, requestId: BigInt(order_id) },
      maker,
      state: {
        remaining: BigInt(remaining),
        isCancelled: is_cancelled,
        changedAt: changed_at,
        changedBlock: changed_block,
      },
    }),
  );
}

interface StoredRow {
  readonly id: string;
  readonly collection: string;
  readonly marketplace: SequenceKind;
  readonly order_id: string;
  readonly maker: string;
  readonly remaining: string;
  readonly is_cancelled: boolean;
  readonly changed_at: number;
  readonly changed_block: number;
}

function columnsOf(keys: readonly RequestKey[]): readonly unknown[] {
  return [
    keys.map(({ collection }) => collection),
    keys.map(({ marketplace }) => marketplace),
    keys.map(({ requestId }) => requestId),
  ].map(plainArray);
}

const storedColumns = `o.id, collection.address as collection, o.marketplace, o.order_id, o.created_by as maker,
      o.quantity_remaining::text as remaining, o.status = 'cancelled' as is_cancelled,
      extract(epoch from o.order_updated_at)::float8 as changed_at, ${lastChangeBlock("o")}::float8 as changed_block`;

const namedSql = {
  name: "market-orders-named",
  text: `
    select ${storedColumns}
    from unnest($2::text[], $3::market_kind[], $4::text[]) as named (collection, marketplace, order_id)
    cross join lateral (
      select id, address from collection where chain_id = $1 and address = named.collection limit 1
    ) collection
    cross join lateral (
      select * from market_order known
      where known.collection_id = collection.id and known.order_id = named.order_id and known.marketplace = named.marketplace
        and known.origin = 'chain' limit 1
    ) o`,
};

const ofMakersSql = {
  name: "market-orders-of-makers",
  text: `
    select ${storedColumns}
    from unnest($2::market_kind[], $3::text[]) as named (marketplace, maker)
    cross join lateral (
      select * from market_order known
      where known.created_by = named.maker and known.marketplace = named.marketplace and known.origin = 'chain'
        and known.status in ('active', 'inactive', 'decimals_missing', 'expired')
      offset 0
    ) o
    join collection on collection.id = o.collection_id and collection.chain_id = $1`,
};

export interface ChangedOrder {
  readonly id: string;
  readonly request: Request;
}

/**
 * Writes the new states of orders. Facts need not be checked again: the available units are only capped by the remaining units, which never
 * changes whether an open order is active.
 */
export async function updateOrders(tx: ChainTransaction, orders: readonly ChangedOrder[]): Promise<void> {
  if (orders.length === 0) return;
  const states = orders.map(({ request }) => request.state);
  await tx.query(
    updateSql,
    [
      orders.map(({ id }) => id),
      states.map(finalStatusOf),
      states.map(({ remaining }) => remaining),
      states.map(({ changedAt }) => changedAt),
      states.map(({ changedBlock }) => changedBlock),
    ].map(plainArray),
  );
}

const updateSql = {
  name: "market-orders-update",
  text: `
    update market_order known set
      status = coalesce(reported.ended, known.status), quantity_remaining = reported.remaining,
      quantity_available = case when reported.ended is null then least(known.quantity_available, reported.remaining) else 0 end,
      order_updated_at = to_timestamp(reported.changed_at), changed_block = reported.changed_block, updated_at = now()
    from unnest($1::bigint[], $2::order_status[], $3::numeric[], $4::float8[], $5::bigint[])
      as reported (id, ended, remaining, changed_at, changed_block)
    where known.id = reported.id`,
};

/** Undefined while the order is open. */
export function finalStatusOf({ remaining, isCancelled }: RequestState): "filled" | "cancelled" | undefined {
  if (remaining === 0n) return "filled";
  return isCancelled ? "cancelled" : undefined;
}
