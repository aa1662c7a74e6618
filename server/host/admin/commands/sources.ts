import type { Queries } from "../../../base/storage/database.ts";
import { utcExact } from "../../../base/storage/sql.ts";
import {
  AdminFault,
  argument,
  type Command,
  listOfProject,
  ofProject,
  type Row,
  readRecordId,
} from "../command.ts";

export const sources: readonly Command[] = [
  listOfProject(
    "sources list",
    "list contract sources: all, or those of a project and of the shared library",
    (queries, id) => list(queries, `project_id is null or ${ofProject}`, [id]),
  ),
  change("sources disable", "mark a contract source as no longer deployable", "true"),
  change("sources enable", "mark a contract source as deployable again", "false"),
];

function change(name: string, help: string, disabled: string): Command {
  return {
    name,
    help,
    positionals: ["SOURCE"],
    run: async ({ database }, input) => {
      const id = readRecordId(argument(input, 0));
      const queries = await database();
      await queries.query(
        `update contract_source set disabled = ${disabled}, updated_at = now() where id = $1`,
        [id],
      );
      const [row] = await list(queries, "id = $1", [id]);
      if (row === undefined)
        throw new AdminFault(`contract source ${id} does not exist; see: platform sources list`);
      return { record: row };
    },
  };
}

function list(queries: Queries, condition: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return queries.query(
    `select id::float8 as id, project_id::float8 as "projectId", uid, contract_type as "contractType", name, disabled,
            ${utcExact("updated_at")} as "updatedAt"
     from contract_source where ${condition} order by id`,
    values,
  );
}
