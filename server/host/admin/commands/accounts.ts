import { createServiceAccount } from "../../../base/credentials/records.ts";
import { utc } from "../../../base/storage/sql.ts";
import {
  argument,
  type Command,
  firstOf,
  type Row,
  readProjectFilter,
  readProjectId,
  requireProject,
  UsageFault,
} from "../command.ts";

export const accounts: readonly Command[] = [
  {
    name: "accounts list",
    help: "list service accounts, of all projects or of one",
    positionals: ["[PROJECT]"],
    run: async ({ database }, { positionals: [project] }) => {
      const queries = await database();
      const list = await queries.query<Row>(
        `select address as account, project_id::float8 as "projectId", name, access,
                (select count(*)::int from secret_key where account = address and revoked_at is null) as "secretKeys",
                ${utc("created_at")} as "createdAt"
         from service_account where $1::bigint is null or project_id = $1 order by project_id, created_at, address`,
        [await readProjectFilter(queries, project)],
      );
      return { list };
    },
  },
  {
    name: "accounts create",
    help: "create a service account, the owner of secret keys",
    positionals: ["PROJECT", "NAME"],
    options: { access: { valueName: "READ|WRITE", help: "READ may only call Get methods (default: READ)" } },
    run: async ({ database }, input) => {
      const projectId = readProjectId(argument(input, 0));
      const name = argument(input, 1);
      const access = (firstOf(input, "access") ?? "READ").toUpperCase();
      if (access !== "READ" && access !== "WRITE")
        throw new UsageFault(`--access: expected READ or WRITE, found "${access}"`);
      const queries = await database();
      await requireProject(queries, projectId);
      const account = await createServiceAccount(queries, projectId, { name, access });
      return {
        record: { account, projectId, name, access },
        note: `Next: platform secrets create ${account}`,
      };
    },
  },
];
