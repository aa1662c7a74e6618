import { readdirSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import {
  allMigrations,
  type Migration,
  migrate,
  planMigrations,
  requireMigrated,
} from "../../../../server/base/storage/migrate.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { emptyDatabase } from "../../../support/server.ts";

let server: Awaited<ReturnType<typeof emptyDatabase>>;
const opened: Database[] = [];

beforeAll(async () => {
  server = await emptyDatabase();
});
afterEach(async () => {
  const [first] = opened;
  await first?.query("drop schema public cascade");
  await first?.query("create schema public");
  await Promise.all(opened.splice(0).map((database) => database[Symbol.asyncDispose]()));
});
afterAll(() => server[Symbol.asyncDispose]());

function open(statementTimeoutMs = 10_000): Database {
  const database = openDatabase(
    { connectionString: server.url },
    { connections: 4, statementTimeoutMs, namedStatements: true },
  );
  opened.push(database);
  return database;
}

/** Every column and constraint, as reported by the database. */
function shape(database: Database): Promise<readonly object[]> {
  return database.query(`
    select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line
    from information_schema.columns where table_schema = 'public'
    union all
    select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select indexdef from pg_indexes where schemaname = 'public'
    union all
    select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    order by 1`);
}

test("every file of the folder is in the list, in order", () => {
  const files = readdirSync(new URL("../../../../server/base/storage/migrations/", import.meta.url))
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  const listed = allMigrations.map(({ version, name }) => `${String(version).padStart(4, "0")}-${name}.sql`);
  expect(listed).toEqual(files);
  expect(allMigrations.map(({ version }) => version)).toEqual(allMigrations.map((_, index) => index + 1));
});

/** How the database is after all migrations at once. */
async function newestShape(): Promise<readonly object[]> {
  const fresh = open();
  await migrate(fresh, all);
  const newest = await shape(fresh);
  await fresh.query("drop schema public cascade");
  await fresh.query("create schema public");
  return newest;
}

/** The next migration of a program that has the given ones. */
function next(sql: string, more: Partial<Migration> = {}, known = allMigrations): Migration {
  const version = known.length + 1;
  return { version, name: "next", oldestProgram: version - 1, locks: {}, sql, ...more };
}

/** Migrations of later versions. */
const expanding = next("alter table project add column size int", { locks: { project: "ACCESS EXCLUSIVE" } });
const expanded = [...allMigrations, expanding];
const all = [
  ...expanded,
  next("create index project_size on project (size, name)", { locks: { project: "SHARE" } }, expanded),
];

test("migrations one by one keep the records of each version, and lead to the same tables as all at once", async () => {
  const newest = await newestShape();
  const database = open();
  for (const { version } of all) {
    expect(await migrate(database, all.slice(0, version))).toEqual({ from: version - 1, to: version });
    await database.query("insert into project (name) values ($1)", [`kept from ${version}`]);
  }
  expect(await shape(database)).toEqual(newest);
  expect(await database.query("select name from project order by id")).toEqual(
    all.map(({ version }) => ({ name: `kept from ${version}` })),
  );
  expect(await migrate(database, all)).toEqual({ from: all.length, to: all.length });
});

test("a database of the first version is migrated to the newest at once, with its records", async () => {
  const newest = await newestShape();
  const database = open();
  await migrate(database, all.slice(0, 1));
  await database.query("insert into project (name) values ('kept')");
  expect(await migrate(database, all)).toEqual({ from: 1, to: all.length });
  expect(await shape(database)).toEqual(newest);
  expect(await database.query("select name from project")).toEqual([{ name: "kept" }]);
});

test("many replicas that start at the same time apply each migration once", async () => {
  const results = await Promise.all(Array.from({ length: 6 }, () => migrate(open())));
  const applied = results.reduce((sum, { from, to }) => sum + to - from, 0);
  expect(applied).toBe(allMigrations.length);
});

test("a migration may take longer than a call, and others wait for it", async () => {
  // The first replica migrates.
  open();
  const slow = [...allMigrations, next("select pg_sleep(1.5)")];
  const results = await Promise.all([migrate(open(100), slow), migrate(open(100), slow)]);
  expect(results.map(({ to }) => to)).toEqual([slow.length, slow.length]);
});

test("a migration gives way to calls while it waits for a lock", { timeout: 60_000 }, async () => {
  const [database, old] = [open(), open()];
  await migrate(database);
  const locking = expanded;
  let migrated: ReturnType<typeof migrate> | undefined;
  await old.transaction(async (tx) => {
    await tx.query("select from project");
    migrated = migrate(database, locking);
    // Reads of other calls queue behind the migration, which gives up after a second.
    const waiting = "select from pg_locks where relation = 'project'::regclass and not granted";
    await expect
      .poll(async () => (await old.query(waiting)).length, { timeout: 30_000, interval: 20 })
      .toBe(1);
    await old.query("select from project");
  });
  expect(await migrated).toMatchObject({ to: locking.length });
});

test("a migration that fails leaves nothing behind, and those before it stay", async () => {
  const database = open();
  const broken = next("create table half (id int); select nonsense");
  await expect(migrate(database, [...allMigrations, broken])).rejects.toThrow("nonsense");
  expect(
    await database.query("select to_regclass('project') as project, to_regclass('half') as half"),
  ).toEqual([{ project: "project", half: null }]);
});

test("a program uses a newer database, unchanged, while it is within the window of its version", async () => {
  const database = open();
  const [previous, own] = [allMigrations.length, allMigrations.length + 1];
  await migrate(database, expanded);
  const expandedShape = await shape(database);
  expect(await migrate(database)).toEqual({ from: own, to: own });
  expect(await planMigrations(database)).toEqual({ version: own, pending: [] });
  expect(await shape(database)).toEqual(expandedShape);
  const contracting = next("alter table project drop column size", { oldestProgram: own }, expanded);
  await migrate(database, [...expanded, contracting]);
  const message = `the database has version ${own + 1}, but this program only supports versions up to ${previous}; run a newer program`;
  await expect(migrate(database)).rejects.toThrow(message);
  await expect(planMigrations(database)).rejects.toThrow(message);
  await expect(requireMigrated(database)).rejects.toThrow(message);
  expect(await migrate(database, expanded)).toEqual({ from: own + 1, to: own + 1 });
});

test("each migration declares a window that never moves back", () => {
  for (const [index, { version, oldestProgram }] of allMigrations.entries()) {
    expect(oldestProgram).toBeGreaterThanOrEqual(allMigrations[index - 1]?.oldestProgram ?? 1);
    expect(oldestProgram).toBeLessThanOrEqual(version);
  }
});

test("each migration locks the tables that it declares", async () => {
  const database = open();
  for (const migration of all) {
    expect(await locksOf(database, migration.sql), migration.name).toEqual(migration.locks);
    await migrate(database, all.slice(0, migration.version));
  }
});

/** By table that exists already: the strongest lock that the statements take, if it blocks writes. */
async function locksOf(database: Database, sql: string): Promise<Readonly<Record<string, string>>> {
  const undo = new Error("undo");
  let locks: readonly { readonly name: string; readonly lock: string }[] = [];
  const work = database.transaction(async (tx) => {
    const tables = await tx.query<{ name: string }>(
      "select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
    );
    await tx.query(sql);
    locks = await tx.query(
      `select distinct on (relation) relation::regclass::text as name, lock
       from pg_locks join (values ('ShareLock', 'SHARE', 1), ('ShareRowExclusiveLock', 'SHARE ROW EXCLUSIVE', 2),
         ('ExclusiveLock', 'EXCLUSIVE', 3), ('AccessExclusiveLock', 'ACCESS EXCLUSIVE', 4)) as modes (mode, lock, strength) using (mode)
       where pid = pg_backend_pid() and locktype = 'relation' and relation::regclass::text = any($1)
       order by relation, strength desc`,
      [tables.map(({ name }) => name)],
    );
    throw undo;
  });
  await expect(work).rejects.toBe(undo);
  return Object.fromEntries(locks.map(({ name, lock }) => [name, lock]));
}
