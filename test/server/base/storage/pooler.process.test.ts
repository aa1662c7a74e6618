import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { findProgram, freePort, type RunningProgram, startProgram } from "../../../support/helper-program.ts";
import { makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { ask, makeKey, makeSecret } from "../../../support/operator.ts";
import { startServer } from "../../../support/server.ts";

const pgbouncer = findProgram("pgbouncer");
const signingKey = Buffer.alloc(32, 1).toString("base64");

test.skipIf(pgbouncer === undefined)(
  "hosts work behind a pooler in transaction mode, learn of a revocation at once and see each other",
  async () => {
    await using server = await startServer();
    await using pooler = await startPooler(server.url);
    expect(await keepsSessions(pooler.url)).toBe(false);
    const env = { DATABASE_URL: pooler.url, DATABASE_POOLER: "true", SIGNING_KEY: signingKey };
    await using operator = await makeData();
    const shared = { ...operator, env };
    const start = () => startHost({ data: shared, env: { SANDBOX: "true" } });
    await using first = await start();
    await using second = await start();
    const { id, accessKey } = await makeKey(shared, first.projectId);
    const { id: secretId, secretKey } = await makeSecret(shared, first.projectId);
    const both = { "x-access-key": first.accessKey, authorization: `BEARER ${secretKey}` };
    for (const host of [first, second]) {
      // Several at the same time, so that each of the pooler's connections serves all of the host's. No more than the host has,
      // so that none waits.
      for (let round = 0; round < 6; round++) {
        const codes = await Promise.all(
          Array.from({ length: 10 }, () => codeOf(host, { "x-access-key": accessKey })),
        );
        expect(new Set(codes)).toEqual(new Set([passed]));
      }
      expect(await codeOf(host, both, pause)).toBe(passed);
    }
    await ask(shared, "keys", "disable", String(id));
    await ask(shared, "secrets", "revoke", secretId);
    for (const host of [first, second]) {
      expect(await codeOf(host, { "x-access-key": accessKey })).toBe(1000);
      expect(await codeOf(host, both, pause)).toBe(1000);
      await expect
        .poll(host.err, { timeout: 120_000 })
        .toContain("rate limits are per replica; set REDIS_URL");
    }
  },
  120_000,
);

/** Needs the access key, which is checked before the invalid body is read. */
const read = "/rpc/Metadata/TokenCollectionFilters";
/** Needs both keys. */
const pause = "/polygon/rpc/Indexer/PauseAllWebhookListeners";
/** The credentials were accepted; the body was rejected afterwards. */
const passed = -4;

async function codeOf({ url }: RunningHost, headers: Readonly<Record<string, string>>, path = read) {
  const all = { "content-type": "application/json", ...headers };
  const response = await fetch(`${url}${path}`, { method: "POST", headers: all, body: '{"chainId":true}' });
  return ((await response.json()) as { readonly code: number }).code;
}

/** Starts a pooler with two connections in front of a Postgres. */
async function startPooler(serverUrl: string): Promise<RunningProgram & { readonly url: string }> {
  const { hostname, username } = new URL(serverUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "pooler-"));
  chmodSync(folder, 0o755);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
postgres = host=${decodeURIComponent(hostname)} user=${username} dbname=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  );
  const program = await startProgram(pgbouncer ?? "", ["--quiet", file], port);
  return {
    ...program,
    url: `postgres://${username}@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whether two transactions of one client use the same backend while others run. Behind this pooler they need not. */
async function keepsSessions(url: string): Promise<boolean> {
  const [mine, other] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([mine.connect(), other.connect()]);
  const pidOf = async (client: pg.Client) =>
    (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
  const before = await pidOf(mine);
  await other.query("begin");
  const taken = await pidOf(other);
  const after = await pidOf(mine);
  await other.query("rollback");
  await Promise.all([mine.end(), other.end()]);
  return before !== taken && before === after;
}
