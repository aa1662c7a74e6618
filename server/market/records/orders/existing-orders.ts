import type { Queries } from "../../../base/storage/database.ts";
import { plainArray, textArray } from "../../../base/storage/plain-array.ts";

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
