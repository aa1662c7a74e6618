import type { Queries, Statement } from "../../../base/storage/database.ts";
import { readRow } from "../json-row.ts";
import { type OrderRow, orderJoins, orderJson } from "./order-columns.ts";

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
