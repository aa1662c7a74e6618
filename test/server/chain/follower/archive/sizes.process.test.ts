import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../../server/base/storage/open-database.ts";
import {
  archiveSizes,
  insertChunk,
  storeCoverage,
} from "../../../../../server/chain/follower/archive/rows.ts";
import { createCheckpoint } from "../../../../../server/chain/follower/checkpoint.ts";
import { migratedDatabase } from "../../../../support/server.ts";

let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;

beforeAll(async () => {
  server = await migratedDatabase();
  database = openDatabase(
    { connectionString: server.url },
    { connections: 2, statementTimeoutMs: 10_000, namedStatements: true },
  );
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

async function store(chainId: number, from: number, to: number, bytes: number): Promise<void> {
  await createCheckpoint(database, chainId, 1);
  const coverage = { addresses: undefined, topics: undefined, hasIndexes: true };
  const coverageId = await storeCoverage(database, chainId, coverage);
  const chunk = { data: randomBytes(bytes), digest: randomBytes(32) };
  await insertChunk(database, chainId, { from, to, coverageId, ...chunk });
}

test("the archive of each chain has a size, unless it is empty", async () => {
  await createCheckpoint(database, 3, 1);
  await store(1, 500, 599, 3_000);
  await store(1, 100, 499, 20);
  await store(1, 600, 600, 7);
  await store(2, 7, 7, 1);
  expect([...(await archiveSizes(database))].sort()).toEqual([
    [1, { chunks: 3, bytes: 3_027, firstBlock: 100, lastBlock: 600 }],
    [2, { chunks: 1, bytes: 1, firstBlock: 7, lastBlock: 7 }],
  ]);
});
