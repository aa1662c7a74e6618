import type { Queries } from "../../../base/storage/database.ts";
import { utcExact } from "../../../base/storage/sql.ts";
import {
  AdminFault,
  argument,
  type Command,
  confirm,
  confirmOption,
  counted,
  firstOf,
  listOfProject,
  ofProject,
  type Row,
  readProjectId,
  readRecordId,
  requireProject,
} from "../command.ts";

/** Days in which a deleted audience can be restored: a mistake is noticed within a month. */
const restorableDays = 30;

export const audiences: readonly Command[] = [
  listOfProject("audiences list", "list audiences, of all projects or of one", (queries, id) =>
    list(queries, ofProject, [id]),
  ),
  {
    name: "audiences create",
    help: "create an audience; import its contacts afterwards",
    positionals: ["PROJECT", "NAME"],
    run: async ({ database }, input) => {
      const projectId = readProjectId(argument(input, 0));
      const queries = await database();
      await requireProject(queries, projectId);
      const [created] = await queries.query<{ id: string }>(
        "insert into audience (project_id, name) values ($1, $2) returning id",
        [projectId, argument(input, 1)],
      );
      return {
        record: await one(queries, Number(created?.id)),
        note: "Next: platform import contacts --help",
      };
    },
  },
  change(
    "audiences delete",
    "delete an audience: calls get NotFound until it is restored",
    "coalesce(deleted_at, now())",
  ),
  change("audiences restore", "restore a deleted audience that has not been purged", "null"),
  {
    name: "audiences purge",
    help: "erase deleted audiences and their contacts",
    positionals: [],
    options: {
      ...confirmOption,
      days: { valueName: "N", help: `only those deleted at least N days ago (default: ${restorableDays})` },
    },
    run: async (context, input) => {
      const days = firstOf(input, "days") ?? String(restorableDays);
      if (!/^[0-9]{1,5}$/.test(days)) throw new AdminFault(`--days: expected a number, found "${days}"`);
      const queries = await context.database();
      const [due] = await queries.query<{ audiences: number; contacts: number; before: string }>(
        `select count(audience.id)::int as audiences, coalesce(sum(contact_count), 0)::float8 as contacts, before::text
         from (select now() - make_interval(days => $1) as before) as time left join audience on deleted_at <= before
         group by before`,
        [Number(days)],
      );
      if (due !== undefined && due.audiences > 0)
        await confirm(context, input, {
          consequence: `${counted(due.audiences, "audiences")} with ${counted(due.contacts, "contacts")} will be erased`,
          word: "purge",
        });
      return {
        list: await queries.query<Row>(
          `delete from audience where deleted_at <= $1::timestamptz
           returning id::float8 as id, project_id::float8 as "projectId", contact_count::float8 as contacts`,
          [due?.before ?? null],
        ),
      };
    },
  },
];

function change(name: string, help: string, deletedAt: string): Command {
  return {
    name,
    help,
    positionals: ["AUDIENCE"],
    run: async ({ database }, input) => {
      const id = readRecordId(argument(input, 0));
      const queries = await database();
      await queries.query(`update audience set deleted_at = ${deletedAt}, updated_at = now() where id = $1`, [
        id,
      ]);
      return { record: await one(queries, id) };
    },
  };
}

async function one(queries: Queries, id: number): Promise<Row> {
  const [row] = await list(queries, "id = $1", [id]);
  if (row === undefined) throw new AdminFault(`audience ${id} does not exist; see: platform audiences list`);
  return row;
}

function list(queries: Queries, condition: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return queries.query(
    `select id::float8 as id, project_id::float8 as "projectId", name, contact_count::float8 as contacts,
            ${utcExact("created_at")} as "createdAt", ${utcExact("deleted_at")} as "deletedAt"
     from audience where ${condition} order by id`,
    values,
  );
}
