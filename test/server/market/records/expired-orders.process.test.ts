import { expect, test } from "vitest";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import {
  markExpiredOrders,
  startMarkingExpiredOrders,
} from "../../../../server/market/records/orders/expired-orders.ts";
import { makeMarket } from "../../../support/market-data.ts";
import { migratedDatabase } from "../../../support/server.ts";

test.each([
  ["a microsecond before", "-1 microsecond", 0],
  ["at", "0", 1],
  ["a microsecond after", "1 microsecond", 1],
])("%s a minute after its end an order is marked, or not", async (_, passed, marked) => {
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 1, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await makeMarket(database, { chainId: 137, orders: 1, collections: 1, collectibles: 2 });
  const orders = await database.transaction(async (tx) => {
    await tx.query("update market_order set valid_until = now() - interval '1 minute' - $1::interval", [
      passed,
    ]);
    return markExpiredOrders(tx);
  });
  expect(orders).toBe(marked);
});

test("expired orders are marked in batches, and no others", async () => {
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 3, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await makeMarket(database, { chainId: 137, orders: 11_000, collections: 10, collectibles: 500 });
  const counts = async (): Promise<object | undefined> => {
    const [row] = await database.query<object>(`
      select count(*) filter (where status = 'active' and valid_until <= now())::int as open,
        count(*) filter (where status = 'expired')::int as marked,
        count(*) filter (where status = 'expired' and valid_until > now())::int as wrong,
        count(*) filter (where status = 'filled' and valid_until <= now())::int as filled
      from market_order`);
    return row;
  };
  expect(await counts()).toEqual({ open: 750, marked: 0, wrong: 0, filled: 150 });
  // Two concurrent replicas take different orders.
  const both = await Promise.all([markExpiredOrders(database), markExpiredOrders(database)]);
  expect(both[0] + both[1] + (await markExpiredOrders(database))).toBe(750);
  expect(await markExpiredOrders(database)).toBe(0);
  expect(await counts()).toEqual({ open: 0, marked: 750, wrong: 0, filled: 150 });

  await database.query("update market_order set status = 'active' where status = 'expired'");
  let told = 0;
  await using _keeper = startMarkingExpiredOrders(database, {
    marked: (orders) => {
      told += orders;
    },
  });
  await expect.poll(() => told, { timeout: 120_000 }).toBe(750);
  expect(await counts()).toEqual({ open: 0, marked: 750, wrong: 0, filled: 150 });
});
