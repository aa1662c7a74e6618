import { setTimeout as sleep } from "node:timers/promises";
import { StartFault } from "../start-fault.ts";
import type { Database, Queries } from "./database.ts";
import { sqlStateOf } from "./fault.ts";
import baseline from "./migrations/0001-baseline.sql";
import { openSession, type Session } from "./session.ts";

/** An arbitrary number, unique in the database. */
const migrationLock = 7_116_002;

/**
 * How long a statement of a migration waits for a lock, in milliseconds. Calls of running replicas queue behind a waiting migration, so
 * it gives way after this time and tries again.
 */
const lockMaxMs = 1_000;

/** Pause before the next attempt, in milliseconds, and the number of attempts: about five minutes. */
const lockPauseMs = 2_000;
const lockAttempts = 100;

/**
 * Migrates the database to the newest version, each version in its own transaction. If several replicas start at the same time, one
 * migrates and the others wait. The lock belongs to the transaction, so it works behind poolers too. A database of a newer program
 * is not changed.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = allMigrations,
): Promise<{ readonly from: number; readonly to: number }> {
  const newest = migrations.length;
  const first = await usableVersion(database, migrations);
  // Usually there is nothing to do, which needs no lock to see.
  if (first >= newest) return { from: first, to: first };
  // A session has no timeout: changing a large table, or waiting for another replica, may take longer than a call.
  await using queries = await openSession(database.connection);
  let applied = 0;
  for (;;) {
    const version = await patiently(() => migrateOnce(queries, migrations));
    if (version === undefined) return { from: newest - applied, to: newest };
    applied++;
  }
}

async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (err) {
      if (sqlStateOf(err) !== lockNotAvailable || attempt === lockAttempts) throw err;
      await sleep(lockPauseMs);
    }
  }
}

const lockNotAvailable = "55P03";

/** Applies the next migration. Returns its version, or undefined if the database has the newest one. */
function migrateOnce(queries: Session, migrations: readonly Migration[]): Promise<number | undefined> {
  return queries.transaction(async () => {
    await queries.query("set local statement_timeout = 0");
    await queries.query("select pg_advisory_xact_lock($1)", [migrationLock]);
    await queries.query(`set local lock_timeout = ${lockMaxMs}`);
    await queries.query(
      "create table if not exists migration (version int primary key, name text not null, oldest_program int not null, applied_at timestamptz not null default now())",
    );
    const next = migrations[await usableVersion(queries, migrations)];
    if (next === undefined) return undefined;
    const { version, name, oldestProgram, sql } = next;
    await queries.query(sql);
    await queries.query("insert into migration (version, name, oldest_program) values ($1, $2, $3)", [
      version,
      name,
      oldestProgram,
    ]);
    return version;
  });
}

/**
 * Returns the version of the database, 0 if it is empty. It may be newer than the program, within the window of versions that the
 * newer migrations declare. Throws StartFault if the program is too old.
 */
async function usableVersion(queries: Queries, migrations: readonly Migration[]): Promise<number> {
  const [found] = await queries.query<{ found: string | null }>("select to_regclass('migration') as found");
  if (found?.found === null) return 0;
  const [row] = await queries.query<{ version: number | null; oldest_program: number | null }>(
    "select max(version) as version, max(oldest_program) as oldest_program from migration",
  );
  const version = row?.version ?? 0;
  if ((row?.oldest_program ?? 0) > migrations.length)
    throw new StartFault(
      `the database has version ${version}, but this program only supports versions up to ${migrations.length}; run a newer program`,
    );
  return version;
}

/** The version of the database, and the migrations that this program would apply. Throws StartFault if the program is too old. */
export async function planMigrations(
  queries: Queries,
  migrations: readonly Migration[] = allMigrations,
): Promise<{ readonly version: number; readonly pending: readonly Migration[] }> {
  const version = await usableVersion(queries, migrations);
  return { version, pending: migrations.slice(version) };
}

/** Throws StartFault if the database needs a migration. */
export async function requireMigrated(queries: Queries): Promise<void> {
  const { version, pending } = await planMigrations(queries);
  if (pending.length === 0) return;
  const found = version === 0 ? "is empty" : `has version ${version}`;
  throw new StartFault(
    `the database ${found}, but this program needs version ${allMigrations.length}; run: platform migrate (platform migrate --plan shows what it does), or set migrate: true, so that hosts migrate when they start`,
  );
}

export interface Migration {
  /** From 1, without gaps. */
  readonly version: number;
  readonly name: string;
  /**
   * The oldest program that works on this version of the database, by the newest version that it knows. Expand first: a migration
   * that only adds keeps the programs of the previous release working, so that a release can be rolled back. A later release
   * contracts: it removes what no program of the window uses.
   */
  readonly oldestProgram: number;
  /** By table that exists already: the strongest lock that the migration takes, if calls may have to wait for it. */
  readonly locks: Readonly<Record<string, TableLock>>;
  readonly sql: string;
}

/** Locks that block writes, or everything. PostgreSQL manual, section 13.3.1. */
type TableLock = "SHARE" | "SHARE ROW EXCLUSIVE" | "EXCLUSIVE" | "ACCESS EXCLUSIVE";

/** Forward only. Released migrations never change; a later migration corrects mistakes. */
export const allMigrations: readonly Migration[] = [
  { version: 1, name: "baseline", oldestProgram: 1, locks: {}, sql: baseline },
];
