import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import type { Claim } from "../../../../server/market/token-metadata/queue.ts";
import { writeTokenReadings } from "../../../../server/market/token-metadata/write-readings.ts";
import { migratedDatabase } from "../../../support/server.ts";

let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;
let claim: Omit<Claim, "failures">;

beforeAll(async () => {
  server = await migratedDatabase();
  const connection = { connectionString: server.url };
  database = openDatabase(connection, { connections: 1, statementTimeoutMs: 60_000, namedStatements: true });
  const address = `0x${"1".repeat(40)}` as const;
  const [token] = await database.query<{ id: string }>(
    `with made as (insert into collection (chain_id, address) values (137, $1) returning id)
     insert into collectible (collection_id, token_id, name) select id, 1, '' from made returning id`,
    [address],
  );
  const collectibleId = token?.id ?? "";
  await database.query("insert into token_read (collectible_id, due_at) values ($1, now())", [collectibleId]);
  claim = { collectibleId, chainId: 137, address, tokenId: "1", requestCount: "1" };
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** The stored number of failures of the token, and the seconds until its next reading. */
async function tokenAfter(failures: number, isTransient: boolean): Promise<object | undefined> {
  const result = { reason: "no answer", isTransient };
  await writeTokenReadings(database, [{ claim: { ...claim, failures }, uri: undefined, result }]);
  const [row] = await database.query<object>(
    "select failures, extract(epoch from due_at - read_at)::int as wait from token_read",
  );
  return row;
}

test.each([
  [0, 60],
  [1, 240],
  [5, 61_440],
  [6, 86_400],
  [8, 86_400],
  [9, null],
  [10, null],
])("a reading that fails after %i failures is retried in %s seconds", async (failures, wait) => {
  expect(await tokenAfter(failures, false)).toEqual({ failures: failures + 1, wait });
});

test.each([
  [0, 60],
  [9, 86_400],
])("a transient failure after %i failures does not count", async (failures, wait) => {
  expect(await tokenAfter(failures, true)).toEqual({ failures, wait });
});
