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
 * migrates and the others wait. The lock belongs to the transaction, so it works behind poolers too.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = allMigrations,
): Promise<{ readonly from: number; readonly to: number }> {
  const newest = migrations.length;
  const first = await currentVersion(database);
  // Usually there is nothing to do, which needs no lock to see.
  if (first === newest) return { from: newest, to: newest };
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
      "create table if not exists migration (version int primary key, name text not null, applied_at timestamptz not null default now())",
    );
    const current = await currentVersion(queries);
    if (current > migrations.length)
      throw new StartFault(
        `the database has version ${current}, but this program only supports versions up to ${migrations.length}; run a newer program`,
      );
    const next = migrations[current];
    if (next === undefined) return undefined;
    const { version, name, sql } = next;
    await queries.query(sql);
    await queries.query("insert into migration (version, name) values ($1, $2)", [version, name]);
    return version;
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
