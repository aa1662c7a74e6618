import { expect, test } from "vitest";
import { openDatabase } from "../../../../server/base/storage/database.ts";
import { migrate } from "../../../../server/base/storage/migrate.ts";
import { endMarket, makeMarket } from "../../../support/market-data.ts";
import { emptyDatabase } from "../../../support/server.ts";
import { checkPlans } from "./check-plans.ts";

const size = { chainId: 137, orders: 40_000, collections: 100, collectibles: 8_000 };

/** `npm run bench -- reads` does the same with a million orders. */
test("reads find what they answer by index, also when nearly all orders have just ended", {
  timeout: 240_000,
}, async () => {
  await using server = await emptyDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 2, statementTimeoutMs: 200_000, namedStatements: true },
  );
  await migrate(database);
  await makeMarket(database, size);
  expect(await checkPlans(database, size)).toEqual([]);
  // What has ended is in the indexes until somebody notes it, and costs its readers no row.
  await endMarket(database);
  expect(await checkPlans(database, size)).toEqual([]);
});
