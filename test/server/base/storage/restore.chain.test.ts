/** The drill of "Backups" in docs/platform/deploying.md: a lost database is restored from a dump, and from a base backup with its log. */
import { execFile } from "node:child_process";
import { appendFileSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, test } from "vitest";
import { blocksOf } from "../../../support/docs.ts";
import { startEventChain, transferEmitter } from "../../../support/event-chain.ts";
import { makeDataFolder, startHost } from "../../../support/host.ts";
import { makeDatabase } from "../../../support/make-database.ts";
import { ask } from "../../../support/operator.ts";
import { startReceiver } from "../../../support/receiver.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { signingKeyText } from "../../../support/signing-keys.ts";
import { migrateDatabase } from "../../../support/template-database.ts";
import { addTransferListener } from "../../../support/transfer-listener.ts";

const run = promisify(execFile);
const serverUrl = process.env["TEST_DATABASE_URL"] ?? "";

/** The folder of `pg_dump` in the version of the server, which an older one cannot dump. Undefined if it is not installed. */
async function findTools(): Promise<string | undefined> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version_num') as version",
  );
  await client.end();
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  const folder = `/usr/lib/postgresql/${major}/bin`;
  if (existsSync(join(folder, "pg_dump"))) return folder;
  console.log(`pg_dump ${major} is not installed: restoring is not tested on this server`);
  return undefined;
}

const tools = await findTools();

interface Backup extends AsyncDisposable {
  /** An empty database. */
  readonly url: string;
  keep(): Promise<void>;
  /** Restores the kept state and returns the URL of its database. */
  restore(): Promise<string>;
}

/** The text of the block of the page that has this word. */
const ofPage = (word: string): string =>
  blocksOf("docs/platform/deploying.md").find(({ text }) => text.includes(word))?.text ?? "";

/** Runs the commands of the page as an administrator. The host on the copy has a role without further rights. */
async function dump(): Promise<Backup> {
  const folder = mkdtempSync(join(tmpdir(), "restore-"));
  const lost = await makeDatabase(serverUrl);
  const [role, copy] = [`${lost.name}_role`, `${lost.name}_copy`];
  const { host, port, user, password } = new pg.Client(serverUrl);
  const env = {
    PATH: `${tools}:/usr/bin:/bin`,
    DATABASE_URL: lost.url,
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password ?? "",
  };
  const shell = async (script: string): Promise<void> =>
    void (await run("sh", ["-ec", script], { cwd: folder, env }));
  const sql = (statement: string) => shell(`psql --quiet --dbname postgres -c "${statement}"`);
  return {
    url: lost.url,
    keep: () => shell(ofPage("pg_dump")),
    async restore() {
      await sql(`create role ${role} login password 'secret'`);
      const block = ofPage("pg_restore").replaceAll(/(?<=--(owner|role) )platform/g, role);
      await shell(block.replaceAll("restored", copy));
      return Object.assign(new URL(lost.url), { username: role, password: "secret", pathname: `/${copy}` })
        .href;
    },
    async [Symbol.asyncDispose]() {
      await lost.drop();
      await sql(`drop database if exists ${copy} with (force)`);
      await sql(`drop role if exists ${role}`);
      rmSync(folder, { recursive: true });
    },
  };
}

/** A server of its own, because archiving is a setting of a whole server. Runs the commands of the page. */
async function archive(): Promise<Backup> {
  const folder = mkdtempSync(join(tmpdir(), "restore-"));
  // Postgres does not run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  mkdirSync(join(folder, "backup", "wal"), { recursive: true });
  if (user.uid !== undefined)
    for (const path of ["", "backup", "backup/wal"]) chownSync(join(folder, path), user.uid, user.gid);
  const data = join(folder, "data");
  const env = {
    PATH: `${tools}:/usr/bin:/bin`,
    PGDATA: data,
    PGHOST: folder,
    PGUSER: "platform",
    PGDATABASE: "postgres",
  };
  const shell = async (script: string): Promise<string> =>
    (await run("sh", ["-ec", script], { ...user, cwd: "/", env })).stdout.trim();
  const here = (text: string): string => text.replaceAll("/backup", join(folder, "backup"));
  const start = () => shell(`pg_ctl --wait --silent --log ${folder}/log start`);
  await shell("initdb --username platform --auth trust --encoding UTF8");
  appendFileSync(
    join(data, "postgresql.conf"),
    `listen_addresses = ''\nunix_socket_directories = '${folder}'\nfsync = off\n${here(ofPage("archive_mode"))}`,
  );
  const stop = (): Promise<unknown> =>
    shell("pg_ctl --wait --silent --mode immediate stop").finally(() => rmSync(folder, { recursive: true }));
  try {
    await start();
    await shell(here(ofPage("pg_basebackup")));
  } catch (err) {
    await stop();
    throw err;
  }
  const url = `postgres://platform@${encodeURIComponent(folder)}/postgres`;
  let moment = "";
  return {
    url,
    async keep() {
      moment = await shell('psql -Atc "select clock_timestamp()"');
    },
    async restore() {
      await shell("pg_ctl --wait --silent stop");
      await shell(here(ofPage("recovery.signal")).replace(/'\d{4}-.*'/, `'${moment}'`));
      await start();
      await expect.poll(() => shell('psql -Atc "select pg_is_in_recovery()"')).toBe("f");
      await shell(ofPage("alter system reset"));
      expect(await shell('grep -c -E "restore|recovery" "$PGDATA/postgresql.auto.conf" || true')).toBe("0");
      return url;
    },
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

test.skipIf(noSandbox || tools === undefined).each<[string, () => Promise<Backup>]>([
  ["an old dump", dump],
  ["a base backup and the log until a moment", archive],
])(
  "a database that is restored from %s follows its chains again, and repeats webhooks with the same webhook-id",
  async (name, make) => {
    await using chain = await startEventChain(31_337, transferEmitter);
    await using receiver = await startReceiver();
    await using folder = makeDataFolder();
    await using backup = await make();
    const dataOn = (url: string) => ({ ...folder, env: { DATABASE_URL: url, SANDBOX: "true" } });
    const start = (url: string) =>
      startHost({
        data: dataOn(url),
        args: ["--networks", "31337", "--no-sandbox-chain"],
        env: {
          SIGNING_KEY: signingKeyText(1),
          NETWORK_DETAILS: JSON.stringify({
            31337: { rpcUrls: [chain.rpcUrl], follow: { start: 0, window: 2 } },
          }),
        },
      });
    const transfers = async (count: number, calls: number): Promise<void> => {
      for (let sent = 0; sent < count; sent++) {
        await chain.emit(1);
        await chain.mine();
      }
      await expect.poll(() => receiver.calls.length).toBe(calls);
    };
    const ids = () => receiver.calls.map(({ headers }) => headers["webhook-id"]);
    await migrateDatabase(backup.url);
    await using host = await start(backup.url);
    await addTransferListener(host, receiver.url);
    await transfers(2, 2);
    // Until their results are stored, they are not accepted.
    const waiting = async () =>
      (await ask<{ waiting: number }[]>(dataOn(backup.url), "webhooks", "list"))[0]?.waiting;
    await expect.poll(waiting).toBe(0);
    await backup.keep();
    await transfers(2, 4);
    await host.stop();

    const startedAt = performance.now();
    const restored = await backup.restore();
    const [beforeCopy, afterCopy] = [ids().slice(0, 2), ids().slice(2)];
    await using _copy = await start(restored);
    await expect.poll(() => receiver.calls.length).toBe(6);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(`restore from ${name}: webhooks again after ${seconds} s, 2 repeated`);
    expect(ids().slice(4)).toEqual(afterCopy);
    await transfers(1, 7);
    expect(new Set(ids()).size).toBe(5);
    expect(beforeCopy).not.toContain(ids()[6]);
    const [followed] = await ask<{ block: number }[]>(dataOn(restored), "follow", "list");
    expect(followed).toMatchObject({ block: await chain.head(), failure: null, skipped: 0 });
  },
);
