import pg from "pg";
import type { Database } from "./database.ts";
import { DatabaseBusy, sqlStateOf, toDatabaseFault, tooManyConnections } from "./fault.ts";

/** Shown in the database's list of connections. */
const pingName = "platform: ping";

/** Longest time for the connection, and for the response, in milliseconds. */
const pingMaxMs = 2_000;

/**
 * Rejects with the cause if the database does not respond. If calls occupy all connections, a separate one tells a busy database,
 * which is not down, from one that hangs.
 */
export async function ping(database: Pick<Database, "connection" | "query" | "load">): Promise<void> {
  try {
    await database.query({ name: "ready", text: "select 1" });
  } catch (err) {
    // Open connections still serve calls.
    if (sqlStateOf(err) === tooManyConnections && database.load().open > 0) return;
    if (!(err instanceof DatabaseBusy)) throw err;
    await pingSeparately(database.connection);
  }
}

async function pingSeparately(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: pingMaxMs,
    query_timeout: pingMaxMs,
    application_name: pingName,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
  } catch (err) {
    // Too many connections to Postgres, or to PgBouncer: the server responds.
    if (![tooManyConnections, "08P01"].includes(sqlStateOf(err) ?? "")) throw toDatabaseFault(err);
  } finally {
    void client.end().catch(() => {});
  }
}
