import type { Queries } from "../../../base/storage/database.ts";
import { type Migration, migrate, planMigrations } from "../../../base/storage/migrate.ts";
import { type Command, isGiven } from "../command.ts";

export const migration: readonly Command[] = [
  {
    name: "migrate",
    help: "bring the database to the version of this program, while hosts run",
    positionals: [],
    options: {
      plan: {
        valueName: "",
        help: "only list the pending migrations, and what each of them locks",
        isSwitch: true,
      },
    },
    details: `Each migration is a transaction of its own. It waits a second at most for a lock, gives way to calls, and tries again for
up to five minutes. A lock SHARE blocks writes to the table until the migration ends, ACCESS EXCLUSIVE blocks all calls that use it.
oldest program: the oldest program that works on the result, by the version of the database that it creates.`,
    isForAnyVersion: true,
    run: async ({ database }, input) => {
      const queries = await database();
      if (!isGiven(input, "plan")) return { record: await migrate(queries) };
      const { version, pending } = await planMigrations(queries);
      return {
        list: await Promise.all(pending.map((each) => shown(queries, each))),
        ifEmpty: "No migration is pending.",
        note: `The database has version ${version}. Nothing was changed.`,
      };
    },
  },
];

async function shown(queries: Queries, { version, name, oldestProgram, locks }: Migration) {
  const rows = await queries.query<{ name: string; size: string | null }>(
    `select name, pg_size_pretty(pg_total_relation_size(to_regclass(name))) as size
     from unnest($1::text[]) with ordinality as locked (name, place) order by place`,
    [Object.keys(locks)],
  );
  return {
    version,
    name,
    oldestProgram,
    // A table without a size is created by another pending migration.
    locks: rows.map(({ name, size }) => `${name} ${locks[name]}${size === null ? "" : ` (${size})`}`),
  };
}
