import { expect, test } from "vitest";
import { openStorage } from "../../../../server/base/storage/open-storage.ts";
import { emptyDatabase } from "../../../support/server.ts";

const silent = { info() {}, warn() {}, error() {} };

test.each([
  [1_999, 1_999],
  [2_000, 2_000],
  [2_001, 2_000],
])(
  "with timeouts of 2,000 ms for statements and %i ms for reads, a read ends after %i",
  async (readMaxMs, endMs) => {
    await using server = await emptyDatabase();
    await using database = await openStorage(
      {
        databaseUrl: server.url,
        dataDir: "/nowhere",
        databasePooler: false,
        databaseConnections: 1,
        databaseStatementTimeoutMs: 2_000,
        readMaxMs,
      },
      { log: silent, schema: "unchecked" },
    );
    const read = database.sharedBy([]).query("select pg_sleep(60)");
    await expect(read).rejects.toThrow(`the read took longer than ${endMs} ms`);
  },
);

test("a change after a read on the same connection has the timeout of changes", async () => {
  await using server = await emptyDatabase();
  await using database = await openStorage(
    {
      databaseUrl: server.url,
      dataDir: "/nowhere",
      databasePooler: false,
      databaseConnections: 1,
      databaseStatementTimeoutMs: 20_000,
      readMaxMs: 500,
    },
    { log: silent, schema: "unchecked" },
  );
  await database.sharedBy([]).query("select 1");
  expect(await database.query("show statement_timeout")).toEqual([{ statement_timeout: "20s" }]);
  await database.sharedBy([]).query("select 1");
  await expect(database.sharedBy([]).query("select pg_sleep(60)")).rejects.toThrow("longer than 500 ms");
});
