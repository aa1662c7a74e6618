/** An upgrade to the next release and back, while calls are served. */
import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { allMigrations, type Migration } from "../../../../server/base/storage/migrate.ts";
import { hostOptions, listenerRequest } from "../../../crash/writes.ts";
import {
  type Data,
  hostProgram,
  makeDataFolder,
  type RunningHost,
  runHost,
  startHost,
} from "../../../support/host.ts";
import { buildNext } from "../../../support/next-build.ts";
import { ask, makeKey, makeSecret } from "../../../support/operator.ts";
import { emptyDatabase } from "../../../support/server.ts";
import { signingKeyText } from "../../../support/signing-keys.ts";

const newest = allMigrations.length;
const expanding: Migration = {
  version: newest + 1,
  name: "sizes",
  oldestProgram: newest,
  locks: { webhook_listener: "ACCESS EXCLUSIVE" },
  sql: "alter table webhook_listener add column size int not null default 0",
};

/** Runs `platform migrate` of a release. */
function migrateBy(program: string, { env }: Data, ...args: readonly string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const options = { env: { PATH: process.env["PATH"], ...env } };
    const all = [program, "migrate", ...args, "--format", "json"];
    execFile(process.execPath, all, options, (err, out) =>
      err === null ? resolve(JSON.parse(out)) : reject(err),
    );
  });
}

interface Keys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Callers that read and write without a pause, at the hosts that a balancer would choose. */
class Load {
  readonly #keys: Keys;
  readonly #running: readonly Promise<void>[];
  #hosts: readonly RunningHost[];
  #isStopped = false;
  #calls = 0;
  #slowestMs = 0;
  readonly failures: string[] = [];

  constructor(keys: Keys, hosts: readonly RunningHost[], callers: number) {
    this.#keys = keys;
    this.#hosts = hosts;
    this.#running = Array.from({ length: callers }, () => this.#run());
  }

  /** Sends further calls to these hosts, and waits for some of them. */
  async moveTo(...hosts: readonly RunningHost[]): Promise<void> {
    this.#hosts = hosts;
    const until = this.#calls + 40;
    await expect.poll(() => this.#calls).toBeGreaterThanOrEqual(until);
  }

  async stop(): Promise<string> {
    this.#isStopped = true;
    await Promise.all(this.#running);
    return `${this.#calls} calls, ${this.failures.length} failed, the slowest took ${Math.round(this.#slowestMs)} ms`;
  }

  async #run(): Promise<void> {
    const { listener } = (await this.#call("AddWebhookListener", listenerRequest)) as {
      readonly listener: { readonly id: number };
    };
    while (!this.#isStopped) {
      await this.#call("ToggleWebhookListener", { id: listener.id });
      await this.#call("GetWebhookListener", { id: listener.id });
    }
  }

  async #call(method: string, body: object): Promise<unknown> {
    const host = this.#hosts[this.#calls++ % this.#hosts.length];
    const startedAt = performance.now();
    const response = await fetch(`${host?.url}/31337/rpc/Indexer/${method}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-access-key": this.#keys.accessKey,
        authorization: `BEARER ${this.#keys.secretKey}`,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedAt);
    if (response.status !== 200) this.failures.push(`${method}: ${response.status} ${text}`);
    return JSON.parse(text);
  }
}

test("a release is upgraded and rolled back without a failed call; production migrates only when told to", async () => {
  await using database = await emptyDatabase();
  await using folder = makeDataFolder();
  using next = await buildNext(expanding);
  const env = {
    DATABASE_URL: database.url,
    SIGNING_KEY: signingKeyText(1),
    PRODUCTION: "true",
    OUTBOUND_ALLOW: "127.0.0.0/8",
    ...hostOptions.env,
  };
  const data = { ...folder, env };
  const start = (program: string) => startHost({ ...hostOptions, data, program });

  const refused = await runHost(["--port", "0", "--data-dir", data.folder], env);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("run: platform migrate") });
  expect(await migrateBy(hostProgram, data)).toEqual({ from: 0, to: newest });

  await using old = await start(hostProgram);
  const { accessKey, projectId } = await makeKey(data);
  const { secretKey } = await makeSecret(data, projectId);
  const load = new Load({ accessKey, secretKey }, [old], 2);
  try {
    await load.moveTo(old);
    const lock = expect.stringMatching(/^webhook_listener ACCESS EXCLUSIVE \(\d+ kB\)$/);
    const planned = { version: newest + 1, name: "sizes", oldestProgram: newest, locks: [lock] };
    expect(await migrateBy(next.program, data, "--plan")).toEqual([planned]);
    await expect(start(next.program)).rejects.toThrow(
      `the database has version ${newest}, but this program needs version ${newest + 1}; run: platform migrate`,
    );
    expect(await migrateBy(next.program, data)).toEqual({ from: newest, to: newest + 1 });
    expect(await migrateBy(next.program, data, "--plan")).toEqual([]);
    const migrated = (await ask<{ command: string; ids: string[] }[]>(data, "audit", "list")).filter(
      ({ command }) => command === "migrate",
    );
    expect(migrated.map(({ ids }) => ids)).toEqual([
      [`from=${newest}`, `to=${newest + 1}`],
      ["from=0", `to=${newest}`],
    ]);
    await load.moveTo(old);

    await using upgraded = await start(next.program);
    await load.moveTo(old, upgraded);
    await load.moveTo(upgraded);
    expect(await old.stop()).toBe(0);

    await using rolledBack = await start(hostProgram);
    await load.moveTo(upgraded, rolledBack);
    await load.moveTo(rolledBack);
    expect(await upgraded.stop()).toBe(0);
    console.log(`upgrade and rollback: ${await load.stop()}`);
    expect(await rolledBack.stop()).toBe(0);
  } finally {
    await load.stop();
  }
  expect(load.failures).toEqual([]);
});

test("with migrate: true, a host in production migrates when it starts", async () => {
  await using database = await emptyDatabase();
  await using folder = makeDataFolder();
  const env = { DATABASE_URL: database.url, SIGNING_KEY: signingKeyText(1), PRODUCTION: "true" };
  await using host = await startHost({ data: { ...folder, env }, args: ["--migrate"] });
  expect((await fetch(`${host.adminUrl}/readyz`)).status).toBe(200);
});
