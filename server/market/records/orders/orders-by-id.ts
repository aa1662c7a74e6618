import type { Queries, Statement } from "../../../base/storage/database.ts";
import { plainArray, textArray } from "../../../base/storage/sql.ts";
import { readRow } from "../json-row.ts";
import { type OrderRow, orderJoins, orderJson } from "./order-sql.ts";

/** An order id, of one marketplace or of any if `marketplace` is undefined. */
export interface OrderReference {
  readonly contractAddress: string;
  readonly orderId: string;
  readonly marketplace?: string | undefined;
}

/** Returns orders in the requested order, live or not. Sorts orders with the same id by marketplace. Omits unknown ids. */
export async function ordersById(
  queries: Queries,
  chainId: number,
  references: readonly OrderReference[],
): Promise<readonly OrderRow[]> {
  const rows = await queries.query<{ readonly data: string }>(statement, [
    chainId,
    references.map(({ contractAddress }) => contractAddress),
    references.map(({ orderId }) => orderId),
    references.map(({ marketplace }) => marketplace ?? null),
  ]);
  return rows.map(({ data }) => readRow(orderJson, data));
}

const statement: Statement = {
  name: "orders-by-id",
  text: `
    with asked as (
      select * from unnest($2::text[], $3::text[], $4::market_kind[]) with ordinality as named (address, order_id, marketplace, place)
    )
    select found.data
    from asked
    cross join lateral (
      select ${orderJson.sql} as data, o.marketplace
      from market_order as o ${orderJoins}
      where o.collection_id = (select id from collection where chain_id = $1 and address = asked.address)
        and o.order_id = asked.order_id and (asked.marketplace is null or o.marketplace = asked.marketplace)
    ) as found
    order by asked.place, found.marketplace`,
};

export interface OrderKey {
  readonly collectionId: string;
  readonly orderId: string | bigint;
  readonly marketplace: string;
}

/** Returns the indexes of the orders that exist already, in any status. */
export async function findExistingOrders(
  tx: Queries,
  orders: readonly OrderKey[],
): Promise<ReadonlySet<number>> {
  const [row] = await tx.query<{ readonly places: readonly number[] | null }>(existingSql, [
    plainArray(orders.map(({ collectionId }) => collectionId)),
    textArray(orders.map(({ orderId }) => orderId)),
    plainArray(orders.map(({ marketplace }) => marketplace)),
  ]);
  return new Set(row?.places);
}

const existingSql = {
  name: "orders-known",
  text: `
    select array_agg(place::int - 1) as places from unnest($1::bigint[], $2::text[], $3::market_kind[]) with ordinality
      as named (collection_id, order_id, marketplace, place)
    where (
      select true from market_order known
      where known.collection_id = named.collection_id and known.order_id = named.order_id and known.marketplace = named.marketplace
    )`,
};
