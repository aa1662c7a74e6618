import { createProject } from "../../../base/credentials/records.ts";
import { utc } from "../../../base/storage/sql.ts";
import {
  AdminFault,
  argument,
  type Command,
  firstOf,
  type Row,
  readProjectId,
  UsageFault,
} from "../command.ts";

const nameMax = 200;

export const projects: readonly Command[] = [
  {
    name: "projects list",
    help: "list all projects",
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
    help: "create a project",
    positionals: ["NAME"],
    run: async ({ database }, input) => {
      const name = argument(input, 0);
      if (name.length > nameMax)
        throw new UsageFault(`NAME: at most ${nameMax} characters, found ${name.length}`);
      const project = await createProject(await database(), name);
      return { record: { ...project }, note: `Next: platform keys create ${project.id}` };
    },
  },
  {
    name: "projects set",
    help: "change the settings of a project",
    positionals: ["PROJECT"],
    options: {
      "public-contact-details": {
        valueName: "on|off",
        help: "return names and emails of contacts to calls with only an access key",
      },
    },
    run: async ({ database }, input) => {
      const id = readProjectId(argument(input, 0));
      const given = firstOf(input, "public-contact-details");
      if (given !== "on" && given !== "off")
        throw new AdminFault(`--public-contact-details: expected on or off, found ${given ?? "nothing"}`);
      const [row] = await (await database()).query<Row>(
        `update project set public_contact_details = $2 where id = $1
         returning id::float8 as id, name, public_contact_details as "publicContactDetails"`,
        [id, given === "on"],
      );
      if (row === undefined)
        throw new AdminFault(`project ${id} does not exist; see: platform projects list`);
      return { record: row };
    },
  },
];
