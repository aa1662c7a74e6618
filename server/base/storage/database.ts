import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { ConnectionShares, hostHolder, type ShareHolder } from "./connection-shares.ts";
import { type CopyRow, copyRows } from "./copy.ts";
import { CallTooLong, DatabaseFault, isCancelled, isUnanswered, toDatabaseFault } from "./fault.ts";
import { Sockets } from "./sockets.ts";

/** A statement with a name is parsed and planned once a connection: half the work of hot reads. */
export interface Statement {
  readonly text: string;
  /** Unique among all statements. */
  readonly name?: string;
}

export interface Queries {
  /** The rows; DatabaseFault if the database cannot be asked, DatabaseBusy if too many wait for it already. */
  query<Row extends object>(
    statement: Statement | string,
    values?: readonly unknown[],
  ): Promise<readonly Row[]>;
}

export interface CallerShare extends Pick<Database, "query" | "transaction"> {
  /** Whether a query or a transaction would be refused now with DatabaseBusy. */
  isFull(): boolean;
}

export interface Transaction extends Queries {
  /** Writes many rows by `COPY`, several times as fast as inserts. Names are ours, never a caller's. */
  copy(table: string, columns: readonly string[], rows: Iterable<CopyRow>): Promise<void>;
}

export interface Database extends Queries, AsyncDisposable {
  /** Commits what the work did, or undoes all of it if it throws; what it threw is thrown. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * The same for a caller, within the share of connections of each holder. CallTooLong if a query takes longer than `readMaxMs`, or a
   * statement of a transaction longer than `statementTimeoutMs`.
   */
  sharedBy(holders: readonly ShareHolder[]): CallerShare;
  /** Connection settings, for who needs a connection of their own: one that listens. */
  readonly connection: pg.ClientConfig;
  /** Connections that exist, and calls that wait for one. */
  load(): { readonly open: number; readonly idle: number; readonly waiting: number };
}

export interface PoolOptions {
  readonly connections: number;
  readonly statementTimeoutMs: number;
  /** The same of what a caller reads; default: `statementTimeoutMs`. */
  readonly readMaxMs?: number;
  /** False behind a pooler in transaction mode. */
  readonly namedStatements: boolean;
  /**
   * Whether plans are made for any values, once a connection. The planner would rather make one for the values at hand, each time, if
   * that looks cheaper by a little; for reads by index the planning then takes ten times as long as the reading.
   */
  readonly genericPlans?: boolean;
  /** For work that nobody has called for: it is refused for nobody's sake, and waits so long for a connection, in milliseconds. */
  readonly waitMaxMs?: number;
}

/** Longest wait for a connection, free or new, in milliseconds: past it the database counts as away. */
const connectMaxMs = 2_000;

/** Longest wait of a burst of calls for a connection, in milliseconds: people call that at once. */
const burstMs = 100;

/** Longest wait for the good-bye of a database, in milliseconds: one that went silent says none. */
const endMaxMs = 2_000;

/** A pool of connections that come back by themselves after the database was away. */
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
  const answerMaxMs = (maxMs: number): number => (namedStatements ? maxMs + 1_000 : maxMs);
  const timed: pg.ClientConfig = {
    ...connection,
    stream: sockets.open,
    keepAlive: true,
    // A pooler refuses settings of a session.
    ...(namedStatements ? { statement_timeout: statementTimeoutMs } : {}),
    // For a database that does not even say that it stopped: its own time-out answers first if it lives.
    query_timeout: answerMaxMs(statementTimeoutMs),
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
  /** How long a statement may acquire on a connection, where that is not the pool's own bound. */
  const bounds = new WeakMap<pg.PoolClient, number>();
  // An idle connection that breaks is dropped; the next call opens another.
  pool.on("error", () => {});
  // One that breaks between two statements of a transaction tells so by an event too, which nobody else takes; the next
  // statement fails by itself.
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
      if (namedStatements) await boundStatements(client, maxMs);
      const result = await work(client);
      client.release();
      return result;
    } catch (err) {
      // A connection of which we do not know what it still does is not used again.
      client.release(!(err instanceof pg.DatabaseError || isCancelled(err)));
      throw err;
    }
  }

  /** Asks the database only where the last work on the connection had another bound. */
  async function boundStatements(client: pg.PoolClient, maxMs: number): Promise<void> {
    if ((bounds.get(client) ?? statementTimeoutMs) === maxMs) return;
    try {
      await client.query(`set statement_timeout = ${maxMs}`);
    } catch (err) {
      throw toDatabaseFault(err);
    }
    bounds.set(client, maxMs);
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
      query_timeout: answerMaxMs(maxMs),
      ...(namedStatements && name !== undefined && { name }),
    };
    try {
      const { rows } = await client.query<Row>(config);
      return rows;
    } catch (err) {
      throw toDatabaseFault(err);
    }
  }

  function runOn(client: pg.PoolClient): Transaction {
    return {
      query: (statement, values) => queryOn(client, statement, values),
      async copy(table, columns, rows) {
        try {
          await copyRows(client, `copy ${table} (${columns.join(", ")}) from stdin`, rows);
        } catch (err) {
          throw toDatabaseFault(err);
        }
      },
    };
  }

  async function transactionOn<Result>(
    client: pg.PoolClient,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const tx = runOn(client);
    await tx.query("begin");
    try {
      const result = await work(tx);
      await tx.query("commit");
      return result;
    } catch (err) {
      // A connection that went silent is not used again, and would only keep the caller waiting once more.
      if (!isSilent(err)) await tx.query("rollback").catch(() => {});
      throw err;
    }
  }

  /** A server that bounds its statements and yet does not answer is away. Behind a pooler only we bound them. */
  async function orTooLong<Result>(asked: Promise<Result>, message: string): Promise<Result> {
    try {
      return await asked;
    } catch (err) {
      if (!isCancelled(err) && (namedStatements || !isUnanswered(err))) throw err;
      throw new CallTooLong(message, { cause: (err as DatabaseFault).cause });
    }
  }

  return {
    connection: timed,
    query: (statement, values) =>
      withShare([hostHolder], statementTimeoutMs, (client) => queryOn(client, statement, values)),
    sharedBy: (holders) => ({
      isFull: () => shares?.isFull(holders) === true,
      query: <Row extends object>(statement: Statement | string, values?: readonly unknown[]) =>
        orTooLong(
          withShare(holders, readMaxMs, (client) => queryOn<Row>(client, statement, values, readMaxMs)),
          `the read took longer than ${readMaxMs} ms; ask for less at once`,
        ),
      transaction: (work) =>
        withShare(holders, statementTimeoutMs, (client) =>
          // Not the commit: nobody knows what became of one that is not answered.
          transactionOn(client, (tx) =>
            orTooLong(work(tx), `the change took longer than ${statementTimeoutMs} ms, and was not made`),
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

/** Whether the connection itself failed, as opposed to what was asked on it. */
function isSilent(err: unknown): boolean {
  return err instanceof DatabaseFault && !(err.cause instanceof pg.DatabaseError);
}
