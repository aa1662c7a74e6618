import { resolve } from "node:path";
import type { ClientConfig } from "pg";
import type { Config } from "../config/config.ts";
import { pause } from "../repeat.ts";
import { StartFault } from "../start-fault.ts";
import type { Database, PoolOptions, Queries } from "./database.ts";
import type { StorageLog } from "./embedded/embedded.ts";
import {
  DatabaseFault,
  databaseErrorText,
  databaseProblemOf,
  sqlStateOf,
  tooManyConnections,
} from "./fault.ts";
import { migrate, requireMigrated } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";

type StorageConfig = Pick<
  Config,
  | "dataDir"
  | "databaseUrl"
  | "databaseConnections"
  | "databasePooler"
  | "databaseStatementTimeoutMs"
  | "readMaxMs"
>;

/** How the database is brought to the version of the program. "unchecked": it may have any version. */
export type SchemaUse = "migrate" | "require" | "unchecked";

interface OpenOptions {
  readonly log: StorageLog;
  readonly schema: SchemaUse;
  readonly stop?: AbortSignal | undefined;
  readonly onError?: PoolOptions["onError"];
}

/** Opens the configured database: an external server, or the embedded one. Throws the reason of `stop` if it is aborted. */
export async function openStorage(config: StorageConfig, options: OpenOptions): Promise<Database> {
  const { log, stop } = options;
  if (config.databaseUrl !== undefined)
    return openReached({ connectionString: config.databaseUrl }, config, options);
  const { openEmbedded } = await import("./embedded/embedded.ts");
  const embedded = await openEmbedded(config.dataDir, log, stop);
  try {
    const database = await openReached({ ...embedded.address }, config, options);
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

const backgroundConnections = 4;

/** Longest wait for a background connection, in milliseconds: as long as a handler may take, which is long for a transaction. */
const backgroundWaitMaxMs = 10_000;

/**
 * Opens the same database for background work: following chains and delivering webhooks. Separate connections keep calls and
 * background work from blocking each other.
 */
export function openBackgroundDatabase(
  { connection }: Pick<Database, "connection">,
  {
    databasePooler,
    databaseStatementTimeoutMs,
    onError,
  }: Pick<StorageConfig, "databasePooler" | "databaseStatementTimeoutMs"> & Pick<PoolOptions, "onError">,
): Database {
  return openDatabase(connection, {
    connections: backgroundConnections,
    statementTimeoutMs: databaseStatementTimeoutMs,
    namedStatements: !databasePooler,
    waitMaxMs: backgroundWaitMaxMs,
    onError,
  });
}

/**
 * Opens the database for a command that may run next to a host. Uses the Postgres of the running host, or starts it on the
 * existing cluster. Never creates a cluster.
 */
export async function openForCommand(config: StorageConfig, options: OpenOptions): Promise<Database> {
  if (config.databaseUrl !== undefined) return openStorage(config, options);
  const { findRunning, hasDatabase } = await import("./embedded/embedded.ts");
  if (!hasDatabase(config.dataDir))
    throw new StartFault(
      `there is no database in ${resolve(config.dataDir)}: set DATABASE_URL or --data-dir to what the host uses, or start a host there first`,
    );
  const running = findRunning(config.dataDir);
  return running === undefined ? openStorage(config, options) : openReached({ ...running }, config, options);
}

async function openReached(
  connection: ClientConfig,
  config: StorageConfig,
  { log, schema, stop, onError }: OpenOptions,
): Promise<Database> {
  const database = openDatabase(connection, {
    onError,
    connections: config.databaseConnections,
    statementTimeoutMs: config.databaseStatementTimeoutMs,
    readMaxMs: Math.min(config.readMaxMs, config.databaseStatementTimeoutMs),
    namedStatements: !config.databasePooler,
    genericPlans: !config.databasePooler,
  });
  try {
    await untilReached(database, log, stop);
    await checkServer(database);
    if (schema === "migrate") await migrate(database);
    else if (schema === "require") await requireMigrated(database);
    return database;
  } catch (err) {
    await database[Symbol.asyncDispose]();
    const text = databaseErrorText(err);
    throw text === undefined ? err : new StartFault(text);
  }
}

/** Longest wait for a database that starts together with the host, in milliseconds. */
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
      const isLasting = databaseProblemOf(err) !== undefined && sqlStateOf(err) !== tooManyConnections;
      if (!(err instanceof DatabaseFault) || isLasting || performance.now() > end) throw err;
      if (tries === 0) log.info(`waiting for the database: ${err.message}`);
      await pause(Math.min(100 * 2 ** tries, 2_000), stop);
      stop.throwIfAborted();
    }
  }
}

const oldestMajor = 15;

export async function checkServer(database: Queries): Promise<void> {
  const [row] = await database.query<{ version: string }>(
    "select current_setting('server_version_num') as version",
  );
  const major = Math.floor(Number(row?.version) / 10_000);
  if (major < oldestMajor)
    throw new StartFault(`the database is Postgres ${major}; Postgres ${oldestMajor} or newer is required`);
}
