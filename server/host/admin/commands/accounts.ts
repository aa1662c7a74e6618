import { type Access, createServiceAccount } from "../../../base/credentials/records.ts";
import type { Queries } from "../../../base/storage/database.ts";
import { utc } from "../../../base/storage/sql.ts";
import {
  AdminFault,
  argument,
  type Command,
  firstOf,
  type Input,
  listOfProject,
  ofProject,
  type Row,
  readProjectId,
  requireProject,
  UsageFault,
} from "../command.ts";

export const accounts: readonly Command[] = [
  listOfProject("accounts list", "list service accounts, of all projects or of one", (queries, id) =>
    list(queries, ofProject, [id]),
  ),
  {
    name: "accounts create",
    help: "create a service account, the owner of secret keys",
    positionals: ["PROJECT", "NAME"],
    options: { access: { valueName: "READ|WRITE", help: "READ may only call Get methods (default: READ)" } },
    run: async ({ database }, input) => {
      const projectId = readProjectId(argument(input, 0));
      const name = argument(input, 1);
      const access = readAccess(input) ?? "READ";
      const queries = await database();
      await requireProject(queries, projectId);
      const account = await createServiceAccount(queries, projectId, { name, access });
      return {
        record: { account, projectId, name, access },
        note: `Next: platform secrets create ${account}`,
      };
    },
  },
  {
    name: "accounts set",
    help: "change the settings of a service account; its secret keys stay valid",
    positionals: ["ACCOUNT"],
    options: {
      access: { valueName: "READ|WRITE", help: "READ may only call Get methods" },
      name: { valueName: "TEXT", help: "name of the account" },
    },
    run: async ({ database }, input) => {
      const [access, name] = [readAccess(input), firstOf(input, "name")];
      if (access === undefined && name === undefined)
        throw new UsageFault("choose what to change with --access or --name");
      return change(await database(), input, "access = coalesce($2, access), name = coalesce($3, name)", [
        access ?? null,
        name ?? null,
      ]);
    },
  },
  {
    name: "accounts disable",
    help: "disable a service account: calls with its secret keys are rejected",
    positionals: ["ACCOUNT"],
    run: async ({ database }, input) =>
      change(await database(), input, "disabled_at = coalesce(disabled_at, now())"),
  },
  {
    name: "accounts enable",
    help: "enable a disabled service account",
    positionals: ["ACCOUNT"],
    run: async ({ database }, input) => change(await database(), input, "disabled_at = null"),
  },
];

function readAccess(input: Input): Access | undefined {
  const access = firstOf(input, "access")?.toUpperCase();
  if (access !== undefined && access !== "READ" && access !== "WRITE")
    throw new UsageFault(`--access: expected READ or WRITE, found "${access}"`);
  return access;
}

async function change(
  queries: Queries,
  input: Input,
  assignment: string,
  values: readonly unknown[] = [],
): Promise<{ readonly record: Row }> {
  const account = argument(input, 0).toLowerCase();
  await queries.query(`update service_account set ${assignment} where address = $1`, [account, ...values]);
  const [row] = await list(queries, "address = $1", [account]);
  if (row === undefined)
    throw new AdminFault(`unknown service account "${account.slice(0, 42)}"; see: platform accounts list`);
  return { record: row };
}

function list(queries: Queries, condition: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return queries.query(
    `select address as account, project_id::float8 as "projectId", name, access, disabled_at is not null as disabled,
            (select count(*)::int from secret_key where account = address and revoked_at is null) as "secretKeys",
            ${utc("created_at")} as "createdAt"
     from service_account where ${condition} order by project_id, created_at, address`,
    values,
  );
}
