import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { DatabaseBusy } from "../../../../server/base/storage/fault.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { openBackgroundDatabase } from "../../../../server/base/storage/open-storage.ts";
import { ping } from "../../../../server/base/storage/ping.ts";
import { emptyDatabase } from "../../../support/server.ts";
import { type SlowDatabaseHost, startSlowDatabaseHost } from "../../../support/slow-database.ts";

/** Makes a call that reads the database. Returns the name of its error, or "". */
async function listSources({ host, headers }: SlowDatabaseHost): Promise<string> {
  const response = await fetch(`${host.url}/rpc/Builder/ListContractSources`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ projectId: host.projectId }),
  });
  const { error = "" } = (await response.json()) as { readonly error?: string };
  return error;
}

test("a silent database is Overloaded before the handler's deadline, makes the host not ready, and recovers", async () => {
  await using distant = await startSlowDatabaseHost(0, ["--database-statement-timeout-ms", "1000"]);
  const { adminUrl } = distant.host;
  const call = () => listSources(distant);
  const isReady = async (): Promise<boolean> => (await fetch(`${adminUrl}/readyz`)).status === 200;
  expect(await Promise.all([call(), call(), call()])).toEqual(["", "", ""]);
  expect(await isReady()).toBe(true);
  distant.silence();
  // Aborted would mean that the handler's ten seconds were over.
  const answers = await Promise.all([...Array.from({ length: 6 }, call), isReady()]);
  expect(new Set(answers)).toEqual(new Set(["Overloaded", false]));
  expect(await call()).toBe("Overloaded");
  distant.heal();
  for (let tries = 0; tries < 100 && (await call()) !== ""; tries++) await sleep(100);
  expect(await call()).toBe("");
  expect(await isReady()).toBe(true);
});

test("a silent database is away, even while calls occupy all connections", async () => {
  await using distant = await startSlowDatabaseHost(0, [
    "--database-statement-timeout-ms",
    "1000",
    "--database-connections",
    "2",
  ]);
  const { adminUrl } = distant.host;
  const readiness = async (): Promise<number> => (await fetch(`${adminUrl}/readyz`)).status;
  const isUp = async (): Promise<string | undefined> =>
    /^platform_database_up (.+)$/m.exec(await (await fetch(`${adminUrl}/metrics`)).text())?.[1];
  await listSources(distant);
  expect([await readiness(), await isUp()]).toEqual([200, "1"]);
  distant.silence();
  let isSilent = true;
  const callers = Array.from({ length: 20 }, async () => {
    while (isSilent) {
      await listSources(distant);
      await sleep(100);
    }
  });
  await expect.poll(isUp, { timeout: 60_000 }).toBe("0");
  const seen = new Set<unknown>();
  for (let times = 0; times < 8; times++)
    for (const each of await Promise.all([readiness(), isUp()])) seen.add(each);
  isSilent = false;
  distant.heal();
  await Promise.all(callers);
  expect(seen).toEqual(new Set([503, "0"]));
  await expect.poll(readiness, { timeout: 60_000 }).toBe(200);
  await expect.poll(isUp, { timeout: 60_000 }).toBe("1");
});

test("a busy database is not away", async () => {
  await using server = await emptyDatabase();
  const options = { connections: 1, statementTimeoutMs: 500, namedStatements: true };
  await using database = openDatabase({ connectionString: server.url }, options);
  let end = (): void => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  const occupied = database.transaction(async (tx) => {
    await tx.query("select 1");
    await ended;
  });
  await expect(database.query("select 1")).rejects.toBeInstanceOf(DatabaseBusy);
  await expect(ping(database)).resolves.toBeUndefined();
  end();
  await occupied;
});

test("calls do not block background work, and background work is never rejected", async () => {
  await using server = await emptyDatabase();
  const options = { connections: 1, statementTimeoutMs: 8_000, namedStatements: true };
  const connection = { connectionString: server.url };
  await using forCalls = openDatabase(connection, options);
  await using ownWork = openDatabase(connection, { ...options, waitMaxMs: 60_000 });
  const wait = "select pg_sleep(0.01)";
  const [calls, own] = await Promise.all(
    [forCalls, ownWork].map((database) =>
      Promise.allSettled(Array.from({ length: 100 }, () => database.query(wait))),
    ),
  );
  const refused = calls?.filter(({ status }) => status === "rejected") ?? [];
  expect(refused.length).toBeGreaterThan(0);
  for (const each of refused) expect(each).toMatchObject({ reason: expect.any(DatabaseBusy) });
  expect(own?.filter(({ status }) => status === "rejected")).toEqual([]);
});

test("background work uses at most four connections", async () => {
  await using server = await emptyDatabase();
  const options = { databasePooler: false, databaseStatementTimeoutMs: 60_000 };
  await using database = openBackgroundDatabase({ connection: { connectionString: server.url } }, options);
  let running = 0;
  let end = (): void => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  const work = Array.from({ length: 8 }, () =>
    database.transaction(async (tx) => {
      await tx.query("select 1");
      running++;
      await ended;
    }),
  );
  await expect.poll(() => running).toBe(4);
  // A fifth connection would be open by now.
  await sleep(500);
  expect(running).toBe(4);
  end();
  await Promise.all(work);
});

test("a host with a silent database stops when told to", async () => {
  await using distant = await startSlowDatabaseHost(0, ["--stop-max-seconds", "1"]);
  distant.silence();
  const call = listSources(distant).catch(() => {});
  const ended = distant.host.stop();
  expect(await Promise.race([ended.then(() => "ended"), sleep(30_000, "stuck")])).toBe("ended");
  distant.heal();
  await call;
});
