import { findService, serviceNames } from "../../../base/config/config.ts";
import { faultOfOrigin } from "../../../base/config/setting.ts";
import { readAccessKey } from "../../../base/credentials/access-key.ts";
import { createAccessKey, type KeyRestrictions } from "../../../base/credentials/records.ts";
import type { Database, Queries } from "../../../base/storage/database.ts";
import { utc } from "../../../base/storage/sql.ts";
import {
  AdminFault,
  argument,
  type Command,
  expiresOption,
  firstOf,
  type Input,
  isGiven,
  listOfProject,
  ofProject,
  overlapOption,
  type Row,
  readExpiry,
  readOverlap,
  readProjectId,
  requireProject,
  UsageFault,
} from "../command.ts";

const restrictionOptions = {
  service: { valueName: "NAME", help: "restrict to this service", isList: true },
  origin: {
    valueName: "ORIGIN",
    help: "restrict to calls from this web page, e.g. https://app.example",
    isList: true,
  },
} as const;

const nameOption = { name: { valueName: "TEXT", help: "purpose of the key" } } as const;

const saveNote = "Save the key now: only its hash is stored.";

interface OldKey extends KeyRestrictions {
  readonly projectId: number;
  readonly name: string;
  /** Null: never. */
  readonly expiresAt: string | null;
  readonly replacedExpiresAt: string;
}

export const keys: readonly Command[] = [
  listOfProject("keys list", "list access keys, of all projects or of one", (queries, id) =>
    listKeys(queries, ofProject, [id]),
  ),
  {
    name: "keys create",
    help: "create an access key; it is only shown once",
    positionals: ["PROJECT"],
    options: { ...nameOption, ...restrictionOptions, ...expiresOption },
    run: async ({ database }, input) => {
      const projectId = readProjectId(argument(input, 0));
      const expiresAt = readExpiry(input);
      const queries = await database();
      await requireProject(queries, projectId);
      const name = firstOf(input, "name") ?? "";
      const settings = { name, ...readRestrictions(input), expiresAt };
      const { id, prefix, key } = await createAccessKey(queries, projectId, settings);
      return {
        record: { id, projectId, prefix, name, expiresAt: expiresAt?.toISOString() ?? null, accessKey: key },
        note: saveNote,
      };
    },
  },
  {
    name: "keys rotate",
    help: "create a key with the settings of another one, which expires after the overlap",
    positionals: ["KEY"],
    options: { ...overlapOption, ...expiresOption },
    run: async ({ database }, input) => {
      const [given, overlapMs] = [readExpiry(input), readOverlap(input)];
      return (await database()).transaction(async (tx) => {
        const oldId = await findKey(tx, argument(input, 0));
        const [old] = await tx.query<OldKey>(
          `update access_key key set expires_at = least(key.expires_at, now() + make_interval(secs => $2))
           from access_key before
           where key.id = $1 and before.id = key.id and key.disabled_at is null
             and (key.expires_at is null or key.expires_at > now())
           returning key.project_id::float8 as "projectId", key.name, key.services, key.origins,
             ${utc("key.expires_at")} as "replacedExpiresAt", ${utc("before.expires_at")} as "expiresAt"`,
          [oldId, overlapMs / 1_000],
        );
        if (old === undefined)
          throw new AdminFault(
            `access key ${oldId} is disabled or has expired; to create one: platform keys create`,
          );
        const { projectId, name, replacedExpiresAt } = old;
        const expiresAt = given ?? (old.expiresAt === null ? undefined : new Date(old.expiresAt));
        const { id, prefix, key } = await createAccessKey(tx, projectId, { ...old, expiresAt });
        return {
          record: {
            id,
            projectId,
            prefix,
            name,
            expiresAt: expiresAt?.toISOString() ?? null,
            accessKey: key,
            replaces: oldId,
            replacedExpiresAt,
          },
          note: saveNote,
        };
      });
    },
  },
  change(
    "keys disable",
    "disable a key: calls with it are rejected",
    "disabled_at = coalesce(disabled_at, now())",
  ),
  change("keys enable", "enable a disabled key", "disabled_at = null"),
  {
    name: "keys set",
    help: "change the settings of a key: its name, and the services and web pages to which it is restricted",
    positionals: ["KEY"],
    options: {
      ...nameOption,
      ...restrictionOptions,
      "any-service": { valueName: "", help: "remove the restriction to services", isSwitch: true },
      "any-origin": { valueName: "", help: "remove the restriction to web pages", isSwitch: true },
    },
    run: async ({ database }, input) => {
      const { services, origins } = readRestrictions(input);
      const values = [
        changeOf(input, "service", services),
        changeOf(input, "origin", origins),
        firstOf(input, "name") ?? null,
      ];
      if (values.every((value) => value === null))
        throw new UsageFault(
          "choose what to change with --name, --service, --origin, --any-service or --any-origin",
        );
      return changeKey(
        await database(),
        argument(input, 0),
        "services = coalesce($2, services), origins = coalesce($3, origins), name = coalesce($4, name)",
        values,
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

async function changeKey(
  database: Database,
  named: string,
  assignment: string,
  values: readonly unknown[],
): Promise<{ readonly record: Row }> {
  const id = await findKey(database, named);
  await database.query(`update access_key set ${assignment} where id = $1`, [id, ...values]);
  const [row] = await listKeys(database, "id = $1", [id]);
  if (row === undefined) throw new AdminFault("the access key was removed at the same time");
  return { record: row };
}

/** A key is given by its id, by its listed prefix, or in full. */
async function findKey(queries: Queries, named: string): Promise<number> {
  const hash = readAccessKey(named) ?? null;
  const found = await queries.query<{ id: string }>(
    "select id from access_key where id::text = $1 or prefix = $1 or hash = $2",
    [named, hash],
  );
  const [key, other] = found;
  if (key === undefined)
    throw new AdminFault(`unknown access key "${shorten(named)}"; see: platform keys list`);
  if (other !== undefined) throw new AdminFault(`"${named}" matches ${found.length} access keys; use the id`);
  return Number(key.id);
}

/** A full key that is unknown to this host may be valid for another one. */
function shorten(named: string): string {
  return named.length > 16 ? `${named.slice(0, 16)}…` : named;
}

function listKeys(queries: Queries, condition: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return queries.query(
    `select id::float8 as id, project_id::float8 as "projectId", prefix, name, services, origins,
            disabled_at is not null as disabled, ${utc("expires_at")} as "expiresAt", ${utc("created_at")} as "createdAt"
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
