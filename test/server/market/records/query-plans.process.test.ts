import { expect, test } from "vitest";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { endMarket, makeMarket } from "../../../support/market-data.ts";
import { migratedDatabase } from "../../../support/server.ts";
import { checkPlans } from "./check-plans.ts";

const size = { chainId: 137, orders: 40_000, collections: 100, collectibles: 8_000 };

/** `npm run bench -- reads` runs the same check with a million orders. */
test("reads use indexes, even when nearly all orders have just expired", async () => {
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 2, statementTimeoutMs: 200_000, namedStatements: true },
  );
  await makeMarket(database, size);
  await database.query("vacuum analyze");
  expect(await checkPlans(database, size)).toEqual([]);
  // Expired orders stay in the indexes until they are marked, but reading past them fetches no rows.
  await endMarket(database);
  expect(await checkPlans(database, size)).toEqual([]);
});
