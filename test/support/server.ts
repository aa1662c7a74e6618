import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Embedded, openEmbedded } from "../../server/base/storage/embedded/embedded.ts";
import { makeDatabase } from "./make-database.ts";
import { prepareCluster } from "./prepared-cluster.ts";
import { migrateDatabase, templateVariable } from "./template-database.ts";

/** A Postgres that a test starts and stops as it likes, apart from any host. */
export interface TestServer extends AsyncDisposable {
  /** Of its one database. */
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** An empty database: on the server that the tests were given, or on one of their own. */
export async function emptyDatabase(): Promise<AsyncDisposable & { readonly url: string }> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given === undefined) return startServer();
  const { url, drop } = await makeDatabase(given);
  return { url, [Symbol.asyncDispose]: drop };
}

/** A database with all tables and without records. */
export async function migratedDatabase(): Promise<AsyncDisposable & { readonly url: string }> {
  const [given, template] = [process.env["TEST_DATABASE_URL"], process.env[templateVariable]];
  if (given !== undefined && template !== undefined) {
    const { url, drop } = await makeDatabase(given, template);
    return { url, [Symbol.asyncDispose]: drop };
  }
  const database = await emptyDatabase();
  await migrateDatabase(database.url);
  return database;
}

const silent = { info() {}, warn() {}, error() {} };

export async function startServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "platform-server-"));
  chmodSync(folder, 0o755);
  prepareCluster(folder);
  let running: Embedded | undefined = await openEmbedded(folder, silent);
  const { host, user, database } = running.address;
  async function stop(): Promise<void> {
    await running?.[Symbol.asyncDispose]();
    running = undefined;
  }
  return {
    url: `postgres://${user}@${encodeURIComponent(host)}/${database}`,
    stop,
    async start() {
      running ??= await openEmbedded(folder, silent);
    },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
