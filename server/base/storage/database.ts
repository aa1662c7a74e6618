import type pg from "pg";
import { hostHolder, type ShareHolder } from "./connection-shares.ts";
import type { CopyRow } from "./copy.ts";

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
   * The database for one call, limited to the connection shares of the holders. Throws CallTooLong if its queries take longer than
   * `readMaxMs`, or a statement of a transaction longer than `statementTimeoutMs`, or waits longer than `lockMaxMs` for a lock.
   */
  sharedBy(holders: readonly ShareHolder[]): CallerShare;
  /** Connection settings, for code that needs a separate connection, such as LISTEN. */
  readonly connection: pg.ClientConfig;
  load(): { readonly open: number; readonly waiting: number };
}

/** Reads that calls wait for, but that count for no caller. Each has the timeout of a call's reads. */
export function hostReads(database: Pick<Database, "sharedBy">): Queries {
  return { query: (statement, values) => database.sharedBy([hostHolder]).query(statement, values) };
}

export interface PoolOptions {
  readonly connections: number;
  readonly statementTimeoutMs: number;
  /** Timeout of all reads of a call; default: `statementTimeoutMs`. */
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
  /** Called with each error of a statement or of a connection. */
  readonly onError?: ((err: unknown) => void) | undefined;
}
