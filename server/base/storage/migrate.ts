import { StartFault } from "../start-fault.ts";
import type { Database, Queries } from "./database.ts";
import baseline from "./migrations/0001-baseline.sql";
import { openSession } from "./session.ts";

/** An arbitrary number, unique in the database. */
const migrationLock = 7_116_002;

/**
 * Migrates the database to the newest version, in one transaction. If several replicas start at the same time, one migrates and
 * the others wait. The lock belongs to the transaction, so it works behind poolers too.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = allMigrations,
): Promise<{ readonly from: number; readonly to: number }> {
  const newest = migrations.length;
  // Usually there is nothing to do, which needs no lock to see.
  if ((await currentVersion(database)) === newest) return { from: newest, to: newest };
  // A session has no time-out: changing a large table, or waiting for another replica, may take longer than a call.
  await using queries = await openSession(database.connection);
  return await queries.transaction(async () => {
    await queries.query("set local statement_timeout = 0");
    await queries.query("select pg_advisory_xact_lock($1)", [migrationLock]);
    await queries.query(
      "create table if not exists migration (version int primary key, name text not null, applied_at timestamptz not null default now())",
    );
    const from = await currentVersion(queries);
    if (from > newest)
      throw new StartFault(
        `the database has version ${from}, but this program only supports versions up to ${newest}; run a newer program`,
      );
    for (const { version, name, sql } of migrations.slice(from)) {
      await queries.query(sql);
      await queries.query("insert into migration (version, name) values ($1, $2)", [version, name]);
    }
    return { from, to: newest };
  });
}

/** 0: an empty database. */
async function currentVersion(queries: Queries): Promise<number> {
  const [found] = await queries.query<{ found: string | null }>("select to_regclass('migration') as found");
  if (found?.found === null) return 0;
  const [row] = await queries.query<{ version: number | null }>(
    "select max(version) as version from migration",
  );
  return row?.version ?? 0;
}

export interface Migration {
  /** From 1, without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Forward only. Released migrations never change; a later migration corrects mistakes. */
export const allMigrations: readonly Migration[] = [{ version: 1, name: "baseline", sql: baseline }];
