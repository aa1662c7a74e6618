import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { ConnectionShares, hostHolder, type ShareHolder } from "./connection-shares.ts";
import { type CopyRow, copyRows } from "./copy.ts";
import {
  CallTooLong,
  DatabaseFault,
  type DatabaseFaultOptions,
  describeStatement,
  isCancelled,
  isLockTimeout,
  isReadTimeout,
  toDatabaseFault,
} from "./fault.ts";
import { Sockets } from "./sockets.ts";

/** A named statement is parsed and planned once per connection, which halves the cost of frequent reads. */
export interface Statement {
  readonly text: string;
  /** Unique among all statements. */
  readonly name?: string;
}

export interface Queries {
  /** Returns the rows. Throws DatabaseFault if the database is unavailable, DatabaseBusy if too many calls wait for it. */
  query<Row extends object>(
    statement: Statement | string,
    values?: readonly unknown[],
  ): Promise<readonly Row[]>;
}

export interface CallerShare extends Pick<Database, "query"> {
  isFull(): boolean;
  /** Changes that wait for the same locks share a holder, so that they leave connections to other calls. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, lockHolder?: ShareHolder): Promise<Result>;
}

export interface Transaction extends Queries {
  /** Writes many rows with `COPY`, several times as fast as inserts. Names must not come from callers. */
  copy(table: string, columns: readonly string[], rows: Iterable<CopyRow>): Promise<void>;
}

export interface Database extends Queries, AsyncDisposable {
  /** Commits the work, or rolls it back and rethrows if it throws. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * The database for a caller, limited to the connection shares of the holders. Throws CallTooLong if a query takes longer than
   * `readMaxMs`, or a statement of a transaction longer than `statementTimeoutMs`, or waits longer than `lockMaxMs` for a lock.
   */
  sharedBy(holders: readonly ShareHolder[]): CallerShare;
  /** Connection settings, for code that needs a separate connection, such as LISTEN. */
  readonly connection: pg.ClientConfig;
  load(): { readonly open: number; readonly idle: number; readonly waiting: number };
}

export interface PoolOptions {
  readonly connections: number;
  readonly statementTimeoutMs: number;
  /** Time-out of a caller's reads; default: `statementTimeoutMs`. */
  readonly readMaxMs?: number;
  /** False behind a pooler in transaction mode. */
  readonly namedStatements: boolean;
  /**
   * Whether a statement is planned once per connection, for any values. Otherwise the planner may make a new plan for the given
   * values each time, and for indexed reads planning takes ten times as long as reading.
   */
  readonly genericPlans?: boolean;
  /** For background work, whose queries queue without a limit: longest wait for a connection, in milliseconds. */
  readonly waitMaxMs?: number;
}

/** Longest wait for a connection, in milliseconds; after it the database counts as unavailable. */
const connectMaxMs = 2_000;

/** Longest wait of a burst of calls for a connection, in milliseconds: people perceive 100 ms as immediate. */
const burstMs = 100;

/** Longest wait of a caller's change for a lock, in milliseconds. It holds a connection that other calls could use. */
export const lockMaxMs = 2_000;

/** Longest wait for the connections to close, in milliseconds: a silent database never closes them. */
const endMaxMs = 2_000;

/** Opens a connection pool that reconnects after an outage. */
export function openDatabase(
  connection: pg.ClientConfig,
  {
    connections,
    statementTimeoutMs,
    readMaxMs = statementTimeoutMs,
    namedStatements,
    genericPlans = false,
    waitMaxMs,
  }: PoolOptions,
): Database {
  const sockets = new Sockets();
  const responseMaxMs = (maxMs: number): number => (namedStatements ? maxMs + 1_000 : maxMs);
  const timed: pg.ClientConfig = {
    ...connection,
    stream: sockets.open,
    keepAlive: true,
    // A pooler rejects session settings.
    ...(namedStatements ? { statement_timeout: statementTimeoutMs } : {}),
    // For a database that went silent. A live one applies its own time-out first.
    query_timeout: responseMaxMs(statementTimeoutMs),
    application_name: connection.application_name ?? "platform",
  };
  const pool = new pg.Pool({
    ...timed,
    max: connections,
    connectionTimeoutMillis: waitMaxMs ?? connectMaxMs,
    ...(genericPlans
      ? { onConnect: (client) => client.query("set plan_cache_mode = force_generic_plan") }
      : {}),
  });
  const shares =
    waitMaxMs === undefined
      ? new ConnectionShares({ connections, burstMs, waitMaxMs: readMaxMs })
      : undefined;
  /** Statement time-outs set on connections, where they differ from the pool's default. */
  const timeouts = new WeakMap<pg.PoolClient, number>();
  // The pool drops an idle connection that breaks. The next call opens another.
  pool.on("error", () => {});
  // Without this handler, a connection that breaks between two statements would crash the process. The next statement fails by
  // itself.
  pool.on("connect", (client) => client.on("error", () => {}));

  async function withShare<Result>(
    holders: readonly ShareHolder[],
    maxMs: number,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    if (shares === undefined) return withClient(maxMs, work);
    await shares.acquire(holders);
    const startedAt = performance.now();
    try {
      return await withClient(maxMs, work);
    } finally {
      shares.release(holders, performance.now() - startedAt);
    }
  }

  async function withClient<Result>(
    maxMs: number,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (err) {
      throw toDatabaseFault(err);
    }
    try {
      if (namedStatements) await setStatementTimeout(client, maxMs);
      const result = await work(client);
      client.release();
      return result;
    } catch (err) {
      // A connection in an unknown state is not reused.
      client.release(!(err instanceof pg.DatabaseError || isCancelled(err) || isLockTimeout(err)));
      throw err;
    }
  }

  /** Sets the time-out only if the connection's last work had a different one. */
  async function setStatementTimeout(client: pg.PoolClient, maxMs: number): Promise<void> {
    if ((timeouts.get(client) ?? statementTimeoutMs) === maxMs) return;
    try {
      await client.query(`set statement_timeout = ${maxMs}`);
    } catch (err) {
      throw toDatabaseFault(err);
    }
    timeouts.set(client, maxMs);
  }

  async function queryOn<Row extends object>(
    client: pg.PoolClient,
    statement: Statement | string,
    values: readonly unknown[] = [],
    maxMs: number = statementTimeoutMs,
  ): Promise<readonly Row[]> {
    const { text, name }: Statement = typeof statement === "string" ? { text: statement } : statement;
    const config: pg.QueryConfig & { query_timeout: number } = {
      text,
      values: [...values],
      query_timeout: responseMaxMs(maxMs),
      ...(namedStatements && name !== undefined && { name }),
    };
    try {
      const { rows } = await client.query<Row>(config);
      return rows;
    } catch (err) {
      throw toDatabaseFault(err, describeStatement({ name, text }));
    }
  }

  function runOn(client: pg.PoolClient): Transaction {
    return {
      query: (statement, values) => queryOn(client, statement, values),
      async copy(table, columns, rows) {
        try {
          await copyRows(client, `copy ${table} (${columns.join(", ")}) from stdin`, rows);
        } catch (err) {
          throw toDatabaseFault(err, `copy ${table}`);
        }
      },
    };
  }

  async function transactionOn<Result>(
    client: pg.PoolClient,
    work: (tx: Transaction) => Promise<Result>,
    begin = "begin",
  ): Promise<Result> {
    const tx = runOn(client);
    await tx.query(begin);
    try {
      const result = await work(tx);
      await tx.query("commit");
      return result;
    } catch (err) {
      // A silent connection is not reused; a rollback would only keep the caller waiting.
      if (!isConnectionFault(err)) await tx.query("rollback").catch(() => {});
      throw err;
    }
  }

  /**
   * Converts time-outs to CallTooLong. A server that has a statement time-out and still does not respond is unavailable, though;
   * behind a pooler only the client has a time-out.
   */
  async function withCallTooLong<Result>(pending: Promise<Result>, message: string): Promise<Result> {
    try {
      return await pending;
    } catch (err) {
      if (isLockTimeout(err))
        throw new CallTooLong(
          `the change waited longer than ${lockMaxMs} ms for another one and was not made; try again`,
          partsOf(err as DatabaseFault),
        );
      if (!isCancelled(err) && (namedStatements || !isReadTimeout(err))) throw err;
      throw new CallTooLong(message, partsOf(err as DatabaseFault));
    }
  }

  return {
    connection: timed,
    query: (statement, values) =>
      withShare([hostHolder], statementTimeoutMs, (client) => queryOn(client, statement, values)),
    sharedBy: (holders) => ({
      isFull: () => shares?.isFull(holders) === true,
      query: <Row extends object>(statement: Statement | string, values?: readonly unknown[]) =>
        withCallTooLong(
          withShare(holders, readMaxMs, (client) => queryOn<Row>(client, statement, values, readMaxMs)),
          `the read took longer than ${readMaxMs} ms; request less data, or try again`,
        ),
      transaction: (work, lockHolder) =>
        withShare(
          lockHolder === undefined ? holders : [...holders, lockHolder],
          statementTimeoutMs,
          (client) =>
            transactionOn(
              client,
              // Excludes the commit: without a response, its outcome is unknown.
              (tx) =>
                work({
                  ...tx,
                  query: <Row extends object>(statement: Statement | string, values?: readonly unknown[]) =>
                    withCallTooLong(
                      tx.query<Row>(statement, values),
                      `the change took longer than ${statementTimeoutMs} ms and was not made`,
                    ),
                }),
              // In one round trip.
              `begin; set local lock_timeout = ${lockMaxMs}`,
            ),
        ),
    }),
    transaction: (work) =>
      withShare([hostHolder], statementTimeoutMs, (client) => transactionOn(client, work)),
    load: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: shares?.waiting ?? pool.waitingCount,
    }),
    async [Symbol.asyncDispose]() {
      await Promise.race([pool.end(), sleep(endMaxMs, undefined, { ref: false })]);
      sockets.destroy();
    },
  };
}

function partsOf({ cause, statement }: DatabaseFault): DatabaseFaultOptions {
  return { cause, statement };
}

/** Whether the connection failed, as opposed to the statement. */
function isConnectionFault(err: unknown): boolean {
  return err instanceof DatabaseFault && !(err.cause instanceof pg.DatabaseError);
}
