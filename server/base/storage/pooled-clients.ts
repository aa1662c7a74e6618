import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { PoolOptions } from "./database.ts";
import { isCancelled, isLockTimeout, toDatabaseFault } from "./fault.ts";
import { Sockets } from "./sockets.ts";

/** Longest wait for a connection, in milliseconds; after it the database counts as unavailable. */
const connectMaxMs = 2_000;

/** Longest wait for the connections to close, in milliseconds: a silent database never closes them. */
const endMaxMs = 2_000;

/** A connection pool that reconnects after an outage, and whose connections have a time-out for each piece of work. */
export class PooledClients implements AsyncDisposable {
  /** Its settings, for code that needs a separate connection. */
  readonly connection: pg.ClientConfig;
  readonly #options: PoolOptions;
  readonly #pool: pg.Pool;
  readonly #sockets = new Sockets();
  /** Statement time-outs set on connections, where they differ from the pool's default. */
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

  get load(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { open: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** Does the work on a connection whose statements take `maxMs` milliseconds at most. */
  async use<Result>(maxMs: number, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (err) {
      throw toDatabaseFault(err);
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

  /** Sets the time-out only if the connection's last work had a different one. */
  async #setStatementTimeout(client: pg.PoolClient, maxMs: number): Promise<void> {
    if ((this.#timeouts.get(client) ?? this.#options.statementTimeoutMs) === maxMs) return;
    try {
      await client.query(`set statement_timeout = ${maxMs}`);
    } catch (err) {
      throw toDatabaseFault(err);
    }
    this.#timeouts.set(client, maxMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.race([this.#pool.end(), sleep(endMaxMs, undefined, { ref: false })]);
    this.#sockets.destroy();
  }
}

/** How long the client waits for a response. A live server applies its own time-out first, so this one ends waiting for a silent one. */
export function responseMaxMs(
  { namedStatements }: Pick<PoolOptions, "namedStatements">,
  maxMs: number,
): number {
  return namedStatements ? maxMs + 1_000 : maxMs;
}
