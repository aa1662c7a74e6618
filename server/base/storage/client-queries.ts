/** Statements and transactions on one connection. */
import pg from "pg";
import { copyRows } from "./copy.ts";
import type { PoolOptions, Statement, Transaction } from "./database.ts";
import { DatabaseFault, describeStatement, toDatabaseFault } from "./fault.ts";
import { responseMaxMs } from "./pooled-clients.ts";

type QueryOptions = Pick<PoolOptions, "namedStatements" | "statementTimeoutMs">;

/** Default of `maxMs`, the longest time in milliseconds: `statementTimeoutMs`. */
export async function queryOn<Row extends object>(
  client: pg.PoolClient,
  options: QueryOptions,
  statement: Statement | string,
  values: readonly unknown[] = [],
  maxMs: number = options.statementTimeoutMs,
): Promise<readonly Row[]> {
  const { text, name }: Statement = typeof statement === "string" ? { text: statement } : statement;
  const config: pg.QueryConfig & { query_timeout: number } = {
    text,
    values: [...values],
    query_timeout: responseMaxMs(options, maxMs),
    ...(options.namedStatements && name !== undefined && { name }),
  };
  try {
    const { rows } = await client.query<Row>(config);
    return rows;
  } catch (err) {
    throw toDatabaseFault(err, describeStatement({ name, text }));
  }
}

/** Commits the work, or rolls it back and rethrows if it throws. `begin` is sent first. */
export async function transactionOn<Result>(
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
        throw toDatabaseFault(err, `copy ${table}`);
      }
    },
  };
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

/** Whether the connection failed, as opposed to the statement. */
function isConnectionFault(err: unknown): boolean {
  return err instanceof DatabaseFault && !(err.cause instanceof pg.DatabaseError);
}
