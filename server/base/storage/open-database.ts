import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inSpan, type WorkSpan } from "../spans.ts";
import { ConnectionShares, hostHolder, type ShareHolder } from "./connection-shares.ts";
import { copyRows } from "./copy.ts";
import type { Database, PoolOptions, Statement, Transaction } from "./database.ts";
import {
  CallTooLong,
  DatabaseFault,
  describeStatement,
  isCancelled,
  isLockTimeout,
  isReadTimeout,
  OutcomeUnknown,
  toDatabaseFault,
} from "./fault.ts";

/** Longest wait of a burst of calls for a connection, in milliseconds: people perceive 100 ms as immediate. */
const burstMs = 100;

/** Opens a connection pool that reconnects after an outage. */
export function openDatabase(connection: pg.ClientConfig, options: PoolOptions): Database {
  const { connections, statementTimeoutMs, readMaxMs = statementTimeoutMs, waitMaxMs } = options;
  const clients = new PooledClients(connection, options);
  const shares =
    waitMaxMs === undefined
      ? new ConnectionShares({ connections, burstMs, waitMaxMs: readMaxMs })
      : undefined;

  async function withShare<Result>(
    holders: readonly ShareHolder[],
    maxMs: number,
    work: (client: pg.PoolClient) => Promise<Result>,
    deadline?: { readonly at: number; readonly statement: string },
  ): Promise<Result> {
    if (shares === undefined) return clients.use(maxMs, work);
    await shares.acquire(holders);
    const startedAt = performance.now();
    const release = (): void => shares.release(holders, performance.now() - startedAt);
    const pending = clients.use(maxMs, work).finally(release);
    if (deadline === undefined) return pending;
    const { at, statement } = deadline;
    const leftMs = at - startedAt;
    return rejectAfter(leftMs, pending, () =>
      // A live server would have canceled the statement after `maxMs`.
      leftMs > maxMs
        ? new DatabaseFault(`no response within ${Math.round(leftMs)} ms`, { statement })
        : new CallTooLong(readTooLong, { statement }),
    );
  }

  const readTooLong = `the read took longer than ${readMaxMs} ms; request less data, or try again`;

  const sharedBy: Database["sharedBy"] = (holders) => {
    let leftMs = responseMaxMs(options, readMaxMs);
    let running = 0;
    /** Since when reads have been running without a pause. */
    let busySince = 0;

    async function query<Row extends object>(statement: Statement | string, values?: readonly unknown[]) {
      if (running++ === 0) busySince = performance.now();
      const deadline = { at: busySince + leftMs, statement: describeStatement(toStatement(statement)) };
      const work = (client: pg.PoolClient) => queryOn<Row>(client, options, statement, values, readMaxMs);
      try {
        return await withCallTooLong(withShare(holders, readMaxMs, work, deadline), readTooLong, options);
      } finally {
        if (--running === 0) leftMs -= performance.now() - busySince;
      }
    }

    return {
      isFull: () => shares?.isFull(holders) === true,
      query,
      transaction: (work, lockHolder) => {
        const all = lockHolder === undefined ? holders : [...holders, lockHolder];
        // Excludes the commit: without a response, its outcome is unknown.
        const limited = (tx: Transaction): ReturnType<typeof work> => work(withinLimits(tx));
        return withShare(all, statementTimeoutMs, (client) =>
          transactionOn(client, options, limited, beginWithLockLimit),
        );
      },
    };
  };

  const withinLimits = (tx: Transaction): Transaction => ({
    ...tx,
    query: <Row extends object>(statement: Statement | string, values?: readonly unknown[]) =>
      withCallTooLong(
        tx.query<Row>(statement, values),
        `the change took longer than ${statementTimeoutMs} ms and was not made`,
        options,
      ),
  });

  return {
    connection: clients.connection,
    query: (statement, values) =>
      withShare([hostHolder], statementTimeoutMs, (client) => queryOn(client, options, statement, values)),
    sharedBy,
    transaction: (work) =>
      withShare([hostHolder], statementTimeoutMs, (client) => transactionOn(client, options, work)),
    load: () => ({ ...clients.load, waiting: shares?.waiting ?? clients.load.waiting }),
    [Symbol.asyncDispose]: () => clients[Symbol.asyncDispose](),
  };
}

/* Timeouts of a caller's queries, as errors for the caller. */

/** Longest wait of a caller's change for a lock, in milliseconds. It holds a connection that other calls could use. */
export const lockMaxMs = 2_000;

/** Starts a transaction with this limit, in one round trip. */
const beginWithLockLimit: string = `begin; set local lock_timeout = ${lockMaxMs}`;

/**
 * Converts timeouts to CallTooLong with this message. A server that has a statement timeout and still does not respond is
 * unavailable, though; behind a pooler, where statements are not named, only the client has a timeout.
 */
async function withCallTooLong<Result>(
  pending: Promise<Result>,
  message: string,
  { namedStatements }: { readonly namedStatements: boolean },
): Promise<Result> {
  try {
    return await pending;
  } catch (err) {
    if (!(err instanceof DatabaseFault)) throw err;
    const { cause, statement } = err;
    if (isLockTimeout(err))
      throw new CallTooLong(
        `the change waited longer than ${lockMaxMs} ms for another one and was not made; try again`,
        { cause, statement },
      );
    if (!isCancelled(err) && (namedStatements || !isReadTimeout(err))) throw err;
    throw new CallTooLong(message, { cause, statement });
  }
}

async function rejectAfter<Result>(
  ms: number,
  pending: Promise<Result>,
  fault: () => DatabaseFault,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fault()), ms);
  });
  return Promise.race([pending, late]).finally(() => clearTimeout(timer));
}

/* Statements and transactions on one connection. */

type TimedQuery = pg.QueryConfig & { readonly query_timeout: number };

type QueryOptions = Pick<PoolOptions, "namedStatements" | "statementTimeoutMs" | "onError">;

function reported({ onError }: QueryOptions, thrown: unknown, statement?: string): unknown {
  const err = toDatabaseFault(thrown, statement);
  onError?.(err);
  return err;
}

/** Default of `maxMs`, the longest time in milliseconds: `statementTimeoutMs`. */
async function queryOn<Row extends object>(
  client: pg.PoolClient,
  options: QueryOptions,
  statement: Statement | string,
  values: readonly unknown[] = [],
  maxMs: number = options.statementTimeoutMs,
): Promise<readonly Row[]> {
  const { text, name } = toStatement(statement);
  const config: TimedQuery = {
    text,
    values: [...values],
    query_timeout: responseMaxMs(options, maxMs),
    ...(options.namedStatements && name !== undefined && { name }),
  };
  const span = (): WorkSpan => {
    const summary = name ?? /^\w+/.exec(text.trimStart())?.[0] ?? "query";
    return {
      name: summary,
      attributes: { "db.system.name": "postgresql", "db.query.summary": summary },
    };
  };
  try {
    const { rows } = await inSpan(span, () => client.query<Row>(config));
    return rows;
  } catch (err) {
    throw reported(options, err, describeStatement({ name, text }));
  }
}

function toStatement(statement: Statement | string): Statement {
  return typeof statement === "string" ? { text: statement } : statement;
}

/** Commits the work, or rolls it back and rethrows if it throws. `begin` is sent first. */
async function transactionOn<Result>(
  client: pg.PoolClient,
  options: QueryOptions,
  work: (tx: Transaction) => Promise<Result>,
  begin = "begin",
): Promise<Result> {
  const tx: Transaction = {
    query: (statement, values) => queryOn(client, options, statement, values),
    async copy(table, columns, rows) {
      try {
        await copyRows(client, `copy ${table} (${columns.join(", ")}) from stdin`, rows);
      } catch (err) {
        throw reported(options, err, `copy ${table}`);
      }
    },
  };
  await tx.query(begin);
  try {
    const result = await work(tx);
    await tx.query("commit").catch((err: unknown) => {
      throw err instanceof DatabaseFault
        ? new OutcomeUnknown(err.message, { cause: err.cause, statement: err.statement })
        : err;
    });
    return result;
  } catch (err) {
    // A silent connection is not reused; a rollback would only keep the caller waiting.
    if (!isConnectionFault(err)) await tx.query("rollback").catch(() => {});
    throw err;
  }
}

/** Whether the connection failed, as opposed to the statement. */
function isConnectionFault(err: unknown): boolean {
  return err instanceof DatabaseFault && !(err.cause instanceof pg.DatabaseError);
}

/** Longest wait for a connection, in milliseconds; after it the database counts as unavailable. */
const connectMaxMs = 2_000;

/** Longest wait for the connections to close, in milliseconds: a silent database never closes them. */
const endMaxMs = 2_000;

/** A connection pool that reconnects after an outage, and whose connections have a timeout for each piece of work. */
class PooledClients implements AsyncDisposable {
  /** Its settings, for code that needs a separate connection. */
  readonly connection: pg.ClientConfig;
  readonly #options: PoolOptions;
  readonly #pool: pg.Pool;
  readonly #sockets = new Sockets();
  /** Statement timeouts set on connections, where they differ from the pool's default. */
  readonly #timeouts = new WeakMap<pg.PoolClient, number>();

  constructor(connection: pg.ClientConfig, options: PoolOptions) {
    const { connections, statementTimeoutMs, namedStatements, genericPlans = false, waitMaxMs } = options;
    this.#options = options;
    this.connection = {
      ...connection,
      stream: this.#sockets.open,
      keepAlive: true,
      // A pooler rejects session settings.
      ...(namedStatements ? { statement_timeout: statementTimeoutMs } : {}),
      query_timeout: responseMaxMs(options, statementTimeoutMs),
      application_name: connection.application_name ?? "platform",
    };
    this.#pool = new pg.Pool({
      ...this.connection,
      max: connections,
      connectionTimeoutMillis: waitMaxMs ?? connectMaxMs,
      ...(genericPlans
        ? { onConnect: (client) => client.query("set plan_cache_mode = force_generic_plan") }
        : {}),
    });
    // The pool drops an idle connection that breaks. The next call opens another.
    this.#pool.on("error", () => {});
    // Without this handler, a connection that breaks between two statements would crash the process. The next statement fails by
    // itself.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  get load(): { readonly open: number; readonly waiting: number } {
    const { totalCount, waitingCount } = this.#pool;
    return { open: totalCount, waiting: waitingCount };
  }

  /** Does the work on a connection whose statements take `maxMs` milliseconds at most. */
  async use<Result>(maxMs: number, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (err) {
      throw reported(this.#options, err);
    }
    try {
      if (this.#options.namedStatements) await this.#setStatementTimeout(client, maxMs);
      const result = await work(client);
      client.release();
      return result;
    } catch (err) {
      // A connection in an unknown state is not reused.
      client.release(!(err instanceof pg.DatabaseError || isCancelled(err) || isLockTimeout(err)));
      throw err;
    }
  }

  /** Sets the timeout only if the connection's last work had a different one. */
  async #setStatementTimeout(client: pg.PoolClient, maxMs: number): Promise<void> {
    if ((this.#timeouts.get(client) ?? this.#options.statementTimeoutMs) === maxMs) return;
    try {
      const text = `set statement_timeout = ${maxMs}`;
      const config: TimedQuery = { text, query_timeout: responseMaxMs(this.#options, maxMs) };
      await client.query(config);
    } catch (err) {
      throw reported(this.#options, err);
    }
    this.#timeouts.set(client, maxMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.race([this.#pool.end(), sleep(endMaxMs, undefined, { ref: false })]);
    this.#sockets.destroy();
  }
}

/** How long the client waits for a response. A live server applies its own timeout first, so this one ends waiting for a silent one. */
function responseMaxMs({ namedStatements }: Pick<PoolOptions, "namedStatements">, maxMs: number): number {
  return namedStatements ? maxMs + Math.min(maxMs / 2, 1_000) : maxMs;
}

/** Tracks the sockets of a pool, to destroy those that a silent server never closes: they would keep the process alive. */
class Sockets {
  readonly #open = new Set<Socket>();

  readonly open = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    return socket.once("close", () => this.#open.delete(socket));
  };

  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
