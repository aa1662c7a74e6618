import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { connect } from "../../../../client/platform.ts";
import { databaseOf } from "../../../support/database.ts";
import { makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { ask, makeKey, makeSecret } from "../../../support/operator.ts";
import { emptyDatabase, migratedDatabase, startServer } from "../../../support/server.ts";
import { signingKeysOf, signingKeyText } from "../../../support/signing-keys.ts";

/** How long the database is down, in milliseconds. AWAY_MS=30000 is the long form. */
const awayMs = Number(process.env["AWAY_MS"] ?? 500);

const signingKey = signingKeyText(1);

/** A host that shares a database with others. */
async function startReplica(url: string, keys: Readonly<Record<string, string>> = {}): Promise<RunningHost> {
  const data = await makeData();
  return startHost({ data, env: { DATABASE_URL: url, SANDBOX: "true", SIGNING_KEY: signingKey, ...keys } });
}

/** The error code of a call that reads the database; undefined on success. */
async function codeOf(
  { url }: { readonly url: string },
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ chainId: "polygon", contractAddress: `0x${"1".repeat(40)}` }),
  });
  return ((await response.json()) as { readonly code?: number }).code;
}

const read = "/rpc/Metadata/TokenCollectionFilters";
const list = "/polygon/rpc/Indexer/GetAllWebhookListeners";

test("three replicas that start together on an empty database share it, and learn of a revocation immediately", async () => {
  await using database = await emptyDatabase();
  const { url } = database;
  const replicas = await Promise.all([startReplica(url), startReplica(url), startReplica(url)]);
  const [first] = replicas;
  if (first === undefined) throw new Error("there are three");
  await using operator = await makeData();
  const shared = { ...operator, env: { DATABASE_URL: url, SIGNING_KEY: signingKey } };
  const { id, accessKey } = await makeKey(shared, first.projectId);
  const secret = await makeSecret(shared, first.projectId);
  const both = { "x-access-key": first.accessKey, authorization: `BEARER ${secret.secretKey}` };
  /** Polls because notifications take milliseconds, and ends before rows in the cache are too old to be trusted. */
  const areCodes = async (ofKey: number | undefined, ofSecret: number): Promise<void> => {
    for (const replica of replicas) {
      const codes = () =>
        Promise.all([codeOf(replica, read, { "x-access-key": accessKey }), codeOf(replica, list, both)]);
      await expect.poll(codes, { timeout: 20_000 }).toEqual([ofKey, ofSecret]);
    }
  };
  const isAccepted = () => areCodes(undefined, 2002);
  const isRejected = () => areCodes(1000, 1000);
  await isAccepted();
  await ask(shared, "projects", "disable", String(first.projectId));
  await isRejected();
  await ask(shared, "projects", "enable", String(first.projectId));
  await isAccepted();
  await ask(shared, "keys", "disable", String(id));
  await ask(shared, "accounts", "disable", secret.account);
  await isRejected();
  await ask(shared, "keys", "enable", String(id));
  await ask(shared, "accounts", "enable", secret.account);
  await isAccepted();
  await ask(shared, "keys", "rotate", String(id), "--overlap", "0m");
  await ask(shared, "secrets", "rotate", secret.id, "--overlap", "0m");
  // SessionExpired.
  await areCodes(1000, 1002);
  await ask(shared, "secrets", "revoke", secret.id);
  await isRejected();
  const records = await ask<{ id: number; command: string }[]>(shared, "audit", "list");
  const logged = () =>
    replicas
      .flatMap(({ err }) => err().match(/^.*"an operator ran a command".*$/gm) ?? [])
      .map((line) => JSON.parse(line) as { record: string; command: string })
      .map(({ record, command }) => ({ id: Number(record), command }))
      .toSorted((a, b) => b.id - a.id);
  await expect.poll(logged).toEqual(records.map(({ id, command }) => ({ id, command })));
  await expect
    .poll(() => ask(shared, "replicas", "list"))
    .toEqual(
      replicas.map(() => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        machine: hostname(),
        process: expect.any(Number),
        version: expect.stringMatching(/^\d+[.]\d+[.]\d+/),
        startedAt: expect.stringMatching(/Z$/),
        seenAt: expect.stringMatching(/Z$/),
        follows: [],
        signingKeys: [signingKeysOf(1)[0].id],
        settings: [],
      })),
    );
  // During an outage, a replica that comes back first deletes the rows of the others.
  const startsOf = async () => {
    const listed = await ask<{ startedAt: string }[]>(shared, "replicas", "list");
    return listed.map(({ startedAt }) => Date.parse(startedAt));
  };
  const deletedAt = Date.now();
  await using client = databaseOf(shared);
  await client.query("delete from replica");
  await expect.poll(startsOf).toHaveLength(3);
  for (const startedAt of await startsOf()) expect(startedAt).toBeLessThan(deletedAt);
  for (const replica of replicas)
    await expect.poll(replica.err).toContain("rate limits are per replica; set REDIS_URL");
  await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
  expect(await ask(shared, "replicas", "list")).toEqual([]);
});

test("calls are Overloaded while the database is unavailable, and succeed again afterwards", async () => {
  await using server = await startServer();
  await using replica = await startReplica(server.url);
  const headers = { "x-access-key": replica.accessKey };
  const ready = async () => (await fetch(`${replica.adminUrl}/readyz`)).status;
  expect(await codeOf(replica, read, headers)).toBeUndefined();
  expect(await ready()).toBe(200);
  await server.stop();
  await sleep(awayMs);
  expect(await codeOf(replica, read, headers)).toBe(1901);
  const contractAddress = `0x${"1".repeat(40)}`;
  const connected = connect({ url: replica.url, accessKey: replica.accessKey, retries: 20 });
  const repeated = connected.metadata.tokenCollectionFilters({ chainId: "polygon", contractAddress });
  const response = await fetch(`${replica.url}${read}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ chainId: "polygon", contractAddress }),
  });
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await ready()).toBe(503);
  expect(await codeOf(replica, "/rpc/API/Nope", {})).toBe(-2);
  await server.start();
  await expect(repeated).resolves.toBeDefined();
  await expect.poll(() => codeOf(replica, read, headers)).toBeUndefined();
  await expect.poll(ready).toBe(200);
  expect(replica.process.exitCode).toBeNull();
});

test("a replica reports others with other settings, or with a key that it lacks", async () => {
  await using database = await migratedDatabase();
  await using first = await startReplica(database.url);
  await using second = await startReplica(database.url, {
    SIGNING_KEY: signingKeyText(2),
    SIGNING_KEY_FALLBACKS: signingKey,
  });
  await using third = await startReplica(database.url, {
    OUTBOUND_ALLOW: "10.0.0.0/8",
    OUTBOUND_PORTS: "443,80,1024-65535",
    MAX_CONCURRENT_CALLS: "9",
  });
  const others = async ({ adminUrl }: RunningHost) => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    return Number(/^platform_replicas_differing (.*)$/m.exec(text)?.[1]);
  };
  await expect.poll(() => others(first)).toBe(2);
  await expect.poll(() => others(second)).toBe(1);
  await expect.poll(() => others(third)).toBe(2);
  const lines = () => first.err().match(/(?<="settings":).*(?=,"msg":"another replica has other)/g);
  await expect.poll(() => lines()?.sort()).toEqual(['["outboundAllow"]', '["signingKey"]']);
  const env = { DATABASE_URL: database.url, SIGNING_KEY: signingKey };
  const listed = await ask<{ settings: string[] }[]>({ ...(await makeData()), env }, "replicas", "list");
  expect(listed.map(({ settings }) => settings)).toEqual([
    ["outboundAllow="],
    ["outboundAllow="],
    ["outboundAllow=10.0.0.0/8"],
  ]);
  await Promise.all([second.stop(), third.stop()]);
  await expect.poll(() => others(first)).toBe(0);
  expect(lines()).toHaveLength(2);
});
