import { createProject } from "../../credentials/records.ts";
import { utc } from "../../storage/utc.ts";
import { argument, type Command } from "../command.ts";

export const projects: readonly Command[] = [
  {
    name: "projects list",
    help: "all projects",
    positionals: [],
    run: async ({ database }) => ({
      list: await (await database()).query(
        `select id::float8 as id, name, ${utc("created_at")} as "createdAt",
                (select count(*)::int from access_key where project_id = project.id) as "accessKeys",
                (select count(*)::int from service_account where project_id = project.id) as accounts
         from project order by id`,
      ),
    }),
  },
  {
    name: "projects create",
    help: "make a project",
    positionals: ["NAME"],
    run: async ({ database }, input) => ({
      one: { ...(await createProject(await database(), argument(input, 0))) },
      note: "Next: platform keys create PROJECT",
    }),
  },
];
