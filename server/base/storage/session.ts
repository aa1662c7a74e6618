import pg from "pg";
import { copyRows } from "./copy.ts";
import type { Transaction } from "./database.ts";
import { describeStatement, toDatabaseFault } from "./fault.ts";

/** A separate connection without statement timeouts, for long work. */
export interface Session extends Transaction, AsyncDisposable {
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Throws DatabaseFault if there is no connection, and whenever the connection breaks. */
export async function openSession(connection: pg.ClientConfig): Promise<Session> {
  const { statement_timeout: _, query_timeout: __, ...untimed } = connection;
  const client = new pg.Client(untimed);
  // A broken connection fails the current or the next statement.
  client.on("error", () => {});
  await client.connect().catch((err) => raise(err));

  async function query<Row extends object>(
    statement: Parameters<Transaction["query"]>[0],
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    const text = typeof statement === "string" ? statement : statement.text;
    const raiseFor = (err: unknown): never => raise(err, describeStatement({ text }));
    const { rows } = await client.query<Row>(text, [...values]).catch(raiseFor);
    return rows;
  }

  return {
    query,
    copy: (table, columns, rows) =>
      copyRows(client, `copy ${table} (${columns.join(", ")}) from stdin`, rows).catch((err) =>
        raise(err, `copy ${table}`),
      ),
    async transaction(work) {
      await query("begin");
      try {
        const result = await work();
        await query("commit");
        return result;
      } catch (err) {
        await query("rollback").catch(() => {});
        throw err;
      }
    },
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  };
}

function raise(err: unknown, statement?: string): never {
  throw toDatabaseFault(err, statement);
}
