import { faultOfOrigin } from "../../../base/config/setting.ts";
import type { Database } from "../../../base/storage/database.ts";
import { AdminFault, argument, type Command, type Row, readProjectId, requireProject } from "../command.ts";

export const origins: readonly Command[] = [
  {
    name: "origins list",
    help: "list web pages that may send a project's secret keys",
    positionals: ["PROJECT"],
    run: async ({ database }, input) => list(await database(), readProjectId(argument(input, 0))),
  },
  {
    name: "origins add",
    help: "allow a web page to send the project's secret keys",
    positionals: ["PROJECT", "ORIGIN"],
    run: async ({ database }, input) => {
      const projectId = readProjectId(argument(input, 0));
      const origin = argument(input, 1);
      const fault = faultOfOrigin(origin);
      if (fault !== undefined) throw new AdminFault(fault);
      const queries = await database();
      await requireProject(queries, projectId);
      await queries.query(
        "insert into project_origin (project_id, origin) values ($1, $2) on conflict do nothing",
        [projectId, origin],
      );
      return list(queries, projectId);
    },
  },
  {
    name: "origins remove",
    help: "stop allowing a web page to send the project's secret keys",
    positionals: ["PROJECT", "ORIGIN"],
    run: async ({ database }, input) => {
      const projectId = readProjectId(argument(input, 0));
      const queries = await database();
      const removed = await queries.query(
        "delete from project_origin where project_id = $1 and origin = $2 returning origin",
        [projectId, argument(input, 1)],
      );
      if (removed.length === 0)
        throw new AdminFault(
          `project ${projectId} has no origin "${argument(input, 1)}"; see: platform origins list`,
        );
      return list(queries, projectId);
    },
  },
];

async function list(queries: Database, projectId: number): Promise<{ readonly list: readonly Row[] }> {
  return {
    list: await queries.query<Row>(
      `select project_id::float8 as "projectId", origin from project_origin where project_id = $1 order by origin`,
      [projectId],
    ),
  };
}
