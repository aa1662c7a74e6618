import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { allMigrations, type Migration, migrate } from "../../../../server/base/storage/migrate.ts";
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

/** Migrations of later versions. */
const later: readonly Migration[] = [
  { version: allMigrations.length + 1, name: "sizes", sql: "alter table project add column size int" },
  {
    version: allMigrations.length + 2,
    name: "named-sizes",
    sql: "create index project_size on project (size, name)",
  },
];
const all = [...allMigrations, ...later];

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
  const slow = [
    ...allMigrations,
    { version: allMigrations.length + 1, name: "slow", sql: "select pg_sleep(1.5)" },
  ];
  const results = await Promise.all([migrate(open(100), slow), migrate(open(100), slow)]);
  expect(results.map(({ to }) => to)).toEqual([slow.length, slow.length]);
});

test("a migration gives way to calls while it waits for a lock", { timeout: 60_000 }, async () => {
  const [database, old] = [open(), open()];
  await migrate(database);
  const locking = [
    ...allMigrations,
    { version: allMigrations.length + 1, name: "locking", sql: "alter table project add column size int" },
  ];
  let migrated: ReturnType<typeof migrate> | undefined;
  await old.transaction(async (tx) => {
    await tx.query("select from project");
    migrated = migrate(database, locking);
    // Reads of other calls queue behind the migration, which gives up after a second.
    await sleep(500);
    const start = performance.now();
    await old.query("select from project");
    expect(performance.now() - start).toBeLessThan(3_000);
  });
  expect(await migrated).toMatchObject({ to: locking.length });
});

test("a migration that fails leaves nothing behind, and those before it stay", async () => {
  const database = open();
  const broken = {
    version: allMigrations.length + 1,
    name: "broken",
    sql: "create table half (id int); select nonsense",
  };
  await expect(migrate(database, [...allMigrations, broken])).rejects.toThrow("nonsense");
  expect(
    await database.query("select to_regclass('project') as project, to_regclass('half') as half"),
  ).toEqual([{ project: "project", half: null }]);
});

test("a database of a newer program is not changed", async () => {
  const database = open();
  await migrate(database, all);
  await expect(migrate(database)).rejects.toThrow("run a newer program");
});
