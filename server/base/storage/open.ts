import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import type { Config } from "../config/config.ts";
import { StartFault } from "../start-fault.ts";
import { type Database, openDatabase } from "./database.ts";
import { DatabaseFault } from "./fault.ts";
import { migrate } from "./migrate.ts";
import { checkServer } from "./server-version.ts";
import type { StorageLog } from "./storage-log.ts";

type StorageConfig = Pick<
  Config,
  | "dataDir"
  | "databaseUrl"
  | "databaseConnections"
  | "databasePooler"
  | "databaseStatementTimeoutMs"
  | "readMaxMs"
>;

/**
 * The database of the configuration, brought to the newest version: somebody else's server, or one of our own. Throws the reason
 * of `stop` once that is aborted.
 */
export async function openStorage(
  config: StorageConfig,
  log: StorageLog,
  stop?: AbortSignal,
): Promise<Database> {
  if (config.databaseUrl !== undefined)
    return openAndMigrate({ connectionString: config.databaseUrl }, config, log, stop);
  // Loaded where it is needed only.
  const { openEmbedded } = await import("./embedded/embedded.ts");
  const embedded = await openEmbedded(config.dataDir, log, stop);
  try {
    const database = await openAndMigrate({ ...embedded.address }, config, log, stop);
    return {
      ...database,
      async [Symbol.asyncDispose]() {
        await database[Symbol.asyncDispose]();
        await embedded[Symbol.asyncDispose]();
      },
    };
  } catch (err) {
    await embedded[Symbol.asyncDispose]();
    throw err;
  }
}

/** Connections for what a host does of its own accord. */
const ownConnections = 4;

/** Longest wait for one of them, in milliseconds: as long as a handler has, which is long for a transaction. */
const ownWaitMaxMs = 10_000;

/**
 * The same database for what a host does of its own accord: it follows chains and delivers. Its connections are its own, so that
 * calls do not keep it from its work however many come, nor it them.
 */
export function openBackgroundDatabase(
  { connection }: Database,
  { databasePooler, databaseStatementTimeoutMs }: StorageConfig,
): Database {
  return openDatabase(connection, {
    connections: ownConnections,
    statementTimeoutMs: databaseStatementTimeoutMs,
    namedStatements: !databasePooler,
    waitMaxMs: ownWaitMaxMs,
  });
}

/** The same for a command beside a host, which uses the Postgres that the host runs, or the cluster that it left. It makes none. */
export async function openForCommand(config: StorageConfig, log: StorageLog): Promise<Database> {
  if (config.databaseUrl !== undefined) return openStorage(config, log);
  const { findRunning, hasDatabase } = await import("./embedded/embedded.ts");
  if (!hasDatabase(config.dataDir))
    throw new StartFault(
      `there is no database in ${resolve(config.dataDir)}: start the host on it once, with npm start -- --data-dir ${config.dataDir}, or name another with --data-dir or DATABASE_URL`,
    );
  const running = findRunning(config.dataDir);
  return running === undefined ? openStorage(config, log) : openAndMigrate({ ...running }, config, log);
}

/** Opens a database that may still be starting. */
async function openAndMigrate(
  connection: ClientConfig,
  config: StorageConfig,
  log: StorageLog,
  stop?: AbortSignal,
): Promise<Database> {
  const database = openDatabase(connection, {
    connections: config.databaseConnections,
    statementTimeoutMs: config.databaseStatementTimeoutMs,
    readMaxMs: Math.min(config.readMaxMs, config.databaseStatementTimeoutMs),
    namedStatements: !config.databasePooler,
    genericPlans: !config.databasePooler,
  });
  try {
    await untilReached(database, log, stop);
    await checkServer(database);
    await migrate(database);
    return database;
  } catch (err) {
    await database[Symbol.asyncDispose]();
    if (err instanceof DatabaseFault) throw new StartFault(`the database does not answer: ${err.message}`);
    if (isSqlError(err)) throw new StartFault(`the database refuses: ${err.message}`);
    throw err;
  }
}

/** How long a database may take to come up beside us, in milliseconds. */
const reachMaxMs = 30_000;

async function untilReached(
  database: Database,
  log: StorageLog,
  stop: AbortSignal = new AbortController().signal,
): Promise<void> {
  const end = performance.now() + reachMaxMs;
  for (let tries = 0; ; tries++) {
    try {
      await database.query("select 1");
      return stop.throwIfAborted();
    } catch (err) {
      stop.throwIfAborted();
      if (!(err instanceof DatabaseFault) || performance.now() > end) throw err;
      if (tries === 0) log.info(`waiting for the database: ${err.message}`);
      await sleep(Math.min(100 * 2 ** tries, 2_000), undefined, { signal: stop }).catch(() => {});
      stop.throwIfAborted();
    }
  }
}

/** A statement that the server refused: a missing right, a database that does not exist. */
function isSqlError(err: unknown): err is Error {
  return (
    err instanceof Error && "code" in err && typeof err.code === "string" && /^[0-9A-Z]{5}$/.test(err.code)
  );
}
