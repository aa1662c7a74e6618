import { faultOfOrigin } from "../../../base/config/origin.ts";
import { findService, serviceNames } from "../../../base/config/service-names.ts";
import { readAccessKey } from "../../../base/credentials/access-key.ts";
import { type Binding, createAccessKey } from "../../../base/credentials/records.ts";
import type { Database } from "../../../base/storage/database.ts";
import { utc } from "../../../base/storage/utc.ts";
import {
  AdminFault,
  argument,
  type Command,
  firstOf,
  type Input,
  isGiven,
  type Row,
  readProjectId,
} from "../command.ts";
import { requireProject } from "../require.ts";

const bindingOptions = {
  service: { valueName: "NAME", help: "good for this service only", isList: true },
  origin: {
    valueName: "ORIGIN",
    help: "good for calls from this web page only, as https://app.example",
    isList: true,
  },
} as const;

export const keys: readonly Command[] = [
  {
    name: "keys list",
    help: "access keys, of all projects or of one",
    positionals: ["[PROJECT]"],
    run: async ({ database }, { positionals: [project] }) => ({
      list: await listKeys(await database(), "$1::bigint is null or project_id = $1", [
        project === undefined ? null : readProjectId(project),
      ]),
    }),
  },
  {
    name: "keys create",
    help: "make an access key; it is shown this once",
    positionals: ["PROJECT"],
    options: { name: { valueName: "TEXT", help: "what it is for" }, ...bindingOptions },
    run: async ({ database }, input) => {
      const projectId = readProjectId(argument(input, 0));
      const queries = await database();
      await requireProject(queries, projectId);
      const name = firstOf(input, "name") ?? "";
      const { id, key } = await createAccessKey(queries, projectId, { name, ...readBinding(input) });
      return {
        one: { id, projectId, name, accessKey: key },
        note: "Keep the key: only a hash of it is stored.",
      };
    },
  },
  change("keys disable", "refuse a key from now on", "disabled_at = coalesce(disabled_at, now())"),
  change("keys enable", "take a disabled key again", "disabled_at = null"),
  {
    name: "keys bind",
    help: "bind a key to services and web pages; what is not named stays as it is",
    positionals: ["KEY"],
    options: {
      ...bindingOptions,
      "any-service": { valueName: "", help: "good for all services again", isSwitch: true },
      "any-origin": { valueName: "", help: "good for calls from everywhere again", isSwitch: true },
    },
    run: async ({ database }, input) => {
      const { services, origins } = readBinding(input);
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

/** A key is named by its id, its first characters as listed, or in full. */
async function changeKey(
  database: Database,
  named: string,
  assignment: string,
  values: readonly unknown[],
): Promise<{ readonly one: Row }> {
  const hash = readAccessKey(named) ?? null;
  const found = await database.query<{ id: string }>(
    "select id from access_key where id::text = $1 or prefix = $1 or hash = $2",
    [named, hash],
  );
  const [key, other] = found;
  if (key === undefined)
    throw new AdminFault(`there is no access key "${shorten(named)}"; see: platform keys list`);
  if (other !== undefined) throw new AdminFault(`"${named}" names ${found.length} access keys; give the id`);
  await database.query(`update access_key set ${assignment} where id = $1`, [key.id, ...values]);
  const [row] = await listKeys(database, "id = $1", [key.id]);
  if (row === undefined) throw new AdminFault("the access key was removed meanwhile");
  return { one: row };
}

/** A whole key that is unknown here may be known elsewhere. */
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

/** Null: as it is. */
function changeOf(
  input: Input,
  name: "service" | "origin",
  values: readonly string[],
): readonly string[] | null {
  const isFreed = isGiven(input, `any-${name}`);
  if (isFreed && values.length > 0)
    throw new AdminFault(`--any-${name} and --${name} contradict each other: give one of them`);
  return isFreed || values.length > 0 ? values : null;
}

function readBinding(input: Input): Binding {
  const services = (input.options["service"] ?? []).map((name) => {
    const service = findService(name);
    if (service === undefined)
      throw new AdminFault(`there is no service "${name}"; there are ${serviceNames.join(", ")}`);
    return service;
  });
  const origins = input.options["origin"] ?? [];
  const fault = origins.map(faultOfOrigin).find((each) => each !== undefined);
  if (fault !== undefined) throw new AdminFault(fault);
  return { services, origins };
}
