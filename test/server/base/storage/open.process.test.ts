import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { type Attempt, openCredentials } from "../../../../server/base/credentials/credentials.ts";
import { createAccessKey, createProject } from "../../../../server/base/credentials/records.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { openStorage } from "../../../../server/base/storage/open-storage.ts";
import { emptyDatabase, migratedDatabase } from "../../../support/server.ts";
import { signingKeysOf } from "../../../support/signing-keys.ts";

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

test("all reads of a call together have the timeout of one", async () => {
  await using server = await emptyDatabase();
  const options = { connections: 1, statementTimeoutMs: 60_000, readMaxMs: 4_000, namedStatements: true };
  await using database = openDatabase({ connectionString: server.url }, options);
  const call = database.sharedBy([]);
  const readThrice = async (): Promise<void> => {
    for (let times = 0; times < 3; times++) await call.query("select pg_sleep(2.2)");
  };
  await expect(readThrice()).rejects.toThrow("the read took longer than 4000 ms");
  expect(await database.sharedBy([]).query("select 1 as one")).toEqual([{ one: 1 }]);
});

test("reads of a call at the same time count once", async () => {
  await using server = await emptyDatabase();
  const options = { connections: 3, statementTimeoutMs: 60_000, readMaxMs: 20_000, namedStatements: true };
  await using database = openDatabase({ connectionString: server.url }, options);
  const call = database.sharedBy([]);
  await Promise.all(Array.from({ length: 3 }, () => call.query("select pg_sleep(7.5)")));
  expect(await call.query("select 1 as one")).toEqual([{ one: 1 }]);
});

test("a read of a silent server ends before the timeouts of connections and statements", async () => {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const options = { connections: 1, statementTimeoutMs: 60_000, readMaxMs: 500, namedStatements: true };
  await using database = openDatabase({ host: "127.0.0.1", port }, options);
  const read = database.sharedBy([]).query({ name: "floor", text: "select 1" });
  await expect(read).rejects.toThrow(/^no response within 7\d\d ms$/);
  await expect(read).rejects.toMatchObject({ name: "DatabaseFault", statement: "floor" });
  server.close();
});

test("the lookup of a key has the timeout of reads", async () => {
  await using server = await migratedDatabase();
  const options = { connections: 2, statementTimeoutMs: 60_000, readMaxMs: 500, namedStatements: true };
  await using database = openDatabase({ connectionString: server.url }, options);
  await using credentials = openCredentials(database, { signingKeys: signingKeysOf(1), canListen: false });
  const project = await createProject(database, "locked");
  const { key } = await createAccessKey(database, project.id, { name: "", services: [], origins: [] });
  await database.transaction(async (tx) => {
    await tx.query("lock table access_key");
    const attempt = credentials.authorize({ accessKey: key } as Attempt);
    await expect(attempt).rejects.toThrow("longer than 500 ms");
  });
});
