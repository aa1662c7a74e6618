import { findService, serviceNames } from "../../../base/config/config.ts";
import { faultOfOrigin } from "../../../base/config/setting.ts";
import { readAccessKey } from "../../../base/credentials/access-key.ts";
import { createAccessKey, type KeyRestrictions } from "../../../base/credentials/records.ts";
import type { Database } from "../../../base/storage/database.ts";
import { utc } from "../../../base/storage/sql.ts";
import {
  AdminFault,
  argument,
  type Command,
  firstOf,
  type Input,
  isGiven,
  type Row,
  readProjectFilter,
  readProjectId,
  requireProject,
} from "../command.ts";

const restrictionOptions = {
  service: { valueName: "NAME", help: "restrict to this service", isList: true },
  origin: {
    valueName: "ORIGIN",
    help: "restrict to calls from this web page, e.g. https://app.example",
    isList: true,
  },
} as const;

export const keys: readonly Command[] = [
  {
    name: "keys list",
    help: "list access keys, of all projects or of one",
    positionals: ["[PROJECT]"],
    run: async ({ database }, { positionals: [project] }) => {
      const queries = await database();
      const projectId = await readProjectFilter(queries, project);
      return { list: await listKeys(queries, "$1::bigint is null or project_id = $1", [projectId]) };
    },
  },
  {
    name: "keys create",
    help: "create an access key; it is only shown once",
    positionals: ["PROJECT"],
    options: { name: { valueName: "TEXT", help: "purpose of the key" }, ...restrictionOptions },
    run: async ({ database }, input) => {
      const projectId = readProjectId(argument(input, 0));
      const queries = await database();
      await requireProject(queries, projectId);
      const name = firstOf(input, "name") ?? "";
      const { id, key } = await createAccessKey(queries, projectId, { name, ...readRestrictions(input) });
      return {
        record: { id, projectId, name, accessKey: key },
        note: "Save the key now: only its hash is stored.",
      };
    },
  },
  change(
    "keys disable",
    "disable a key: calls with it are rejected",
    "disabled_at = coalesce(disabled_at, now())",
  ),
  change("keys enable", "enable a disabled key", "disabled_at = null"),
  {
    name: "keys bind",
    help: "restrict a key to services and web pages; without an option, its restriction does not change",
    positionals: ["KEY"],
    options: {
      ...restrictionOptions,
      "any-service": { valueName: "", help: "remove the restriction to services", isSwitch: true },
      "any-origin": { valueName: "", help: "remove the restriction to web pages", isSwitch: true },
    },
    run: async ({ database }, input) => {
      const { services, origins } = readRestrictions(input);
      return changeKey(
        await database(),
        argument(input, 0),
        "services = coalesce($2, services), origins = coalesce($3, origins)",
        [changeOf(input, "service", services), changeOf(input, "origin", origins)],
      );
    },
  },
];

function change(name: string, help: string, assignment: string): Command {
  return {
    name,
    help,
    positionals: ["KEY"],
    run: async ({ database }, input) => changeKey(await database(), argument(input, 0), assignment, []),
  };
}

/** A key is given by its id, by its listed prefix, or in full. */
async function changeKey(
  database: Database,
  named: string,
  assignment: string,
  values: readonly unknown[],
): Promise<{ readonly record: Row }> {
  const hash = readAccessKey(named) ?? null;
  const found = await database.query<{ id: string }>(
    "select id from access_key where id::text = $1 or prefix = $1 or hash = $2",
    [named, hash],
  );
  const [key, other] = found;
  if (key === undefined)
    throw new AdminFault(`unknown access key "${shorten(named)}"; see: platform keys list`);
  if (other !== undefined) throw new AdminFault(`"${named}" matches ${found.length} access keys; use the id`);
  await database.query(`update access_key set ${assignment} where id = $1`, [key.id, ...values]);
  const [row] = await listKeys(database, "id = $1", [key.id]);
  if (row === undefined) throw new AdminFault("the access key was removed at the same time");
  return { record: row };
}

/** A full key that is unknown to this host may be valid for another one. */
function shorten(named: string): string {
  return named.length > 16 ? `${named.slice(0, 16)}…` : named;
}

function listKeys(
  database: Database,
  condition: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  return database.query(
    `select id::float8 as id, project_id::float8 as "projectId", prefix, name, services, origins,
            disabled_at is not null as disabled, ${utc("created_at")} as "createdAt"
     from access_key where ${condition} order by id`,
    values,
  );
}

/** Null: unchanged. */
function changeOf(
  input: Input,
  name: "service" | "origin",
  values: readonly string[],
): readonly string[] | null {
  const isUnrestricted = isGiven(input, `any-${name}`);
  if (isUnrestricted && values.length > 0)
    throw new AdminFault(`--any-${name} and --${name} contradict each other; use one of them`);
  return isUnrestricted || values.length > 0 ? values : null;
}

function readRestrictions(input: Input): KeyRestrictions {
  const services = (input.options["service"] ?? []).map((name) => {
    const service = findService(name);
    if (service === undefined)
      throw new AdminFault(`unknown service "${name}"; expected one of ${serviceNames.join(", ")}`);
    return service;
  });
  const origins = input.options["origin"] ?? [];
  const fault = origins.map(faultOfOrigin).find((each) => each !== undefined);
  if (fault !== undefined) throw new AdminFault(fault);
  return { services, origins };
}
