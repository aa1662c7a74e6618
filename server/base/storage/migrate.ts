import { StartFault } from "../start-fault.ts";
import type { Database, Queries } from "./database.ts";
import { type Migration, migrations as ours } from "./migrations/index.ts";
import { openSession } from "./session.ts";

/** Any number that nothing else in the database uses. */
const migrationLock = 7_116_002;

/**
 * Brings the database to the newest version, all steps in one transaction. Of several replicas that start at once one works and
 * the others wait for it; the lock is of the transaction, so that it works behind poolers too.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = ours,
): Promise<{ readonly from: number; readonly to: number }> {
  const newest = migrations.length;
  // The usual start has nothing to do, and needs no lock to see it.
  if ((await currentVersion(database)) === newest) return { from: newest, to: newest };
  // Neither a change of a large table nor the wait for who makes it is bounded by what a call may take.
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
        `the database has version ${from}, and this program knows versions up to ${newest}: run the newer program`,
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
