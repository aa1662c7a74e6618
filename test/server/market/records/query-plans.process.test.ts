import { expect, test } from "vitest";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { findOrCreateOrderTokens } from "../../../../server/market/records/collectibles/ids.ts";
import { endMarket, makeMarket } from "../../../support/market-data.ts";
import { migratedDatabase } from "../../../support/server.ts";
import { checkPlans } from "./check-plans.ts";
import { explained } from "./query-plans.ts";

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

test("an import looks up each token of a followed collection, with statistics from before the import", async () => {
  await using server = await migratedDatabase();
  const methods = ["seqscan", "mergejoin", "hashjoin"].map((method) => `-c enable_${method}=off`).join(" ");
  await using database = openDatabase(
    { connectionString: server.url, options: methods },
    { connections: 1, statementTimeoutMs: 200_000, namedStatements: true },
  );
  const [made] = await database.query<{ id: string }>(
    "insert into collection (chain_id, address) values (137, '0x' || repeat('c', 40)) returning id",
  );
  const collectionId = made?.id ?? "";
  await database.query(
    "insert into followed_collection (collection_id, known_through, followed_by) values ($1, 0, 'operator')",
    [collectionId],
  );
  const count = 2_000;
  for (const start of [0, count]) {
    const { queries, plans } = explained(database, false);
    const tokens = Array.from({ length: count }, (_, index) => ({
      collectionId,
      tokenId: BigInt(start + index),
    }));
    await findOrCreateOrderTokens(queries, tokens);
    expect(plans.filter(({ rowsRead, pairs }) => rowsRead + pairs > 10 * count)).toEqual([]);
  }
  expect(await database.query("select count(*)::int as queued from token_read")).toEqual([
    { queued: 2 * count },
  ]);
});
