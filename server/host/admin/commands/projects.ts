import { createProject } from "../../../base/credentials/records.ts";
import type { Database, Queries } from "../../../base/storage/database.ts";
import { openSession } from "../../../base/storage/session.ts";
import { utc } from "../../../base/storage/sql.ts";
import { deleteListenersOf } from "../../../webhooks/delete-listeners.ts";
import { setDisabled } from "../../../webhooks/listeners.ts";
import {
  type AdminContext,
  AdminFault,
  argument,
  type Command,
  confirm,
  confirmOption,
  counted,
  firstOf,
  type Input,
  type Output,
  type Row,
  readProjectId,
  spaced,
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
        `select id::float8 as id, name, disabled_at is not null as disabled, ${utc("created_at")} as "createdAt",
                (select count(*)::int from access_key where project_id = project.id) as "accessKeys",
                (select count(*)::int from service_account where project_id = project.id) as accounts
         from project order by id`,
      ),
    }),
  },
  {
    name: "projects show",
    help: "show a project, its settings, and how much belongs to it",
    positionals: ["PROJECT"],
    run: async ({ database }, input) => ({ record: await show(await database(), projectOf(input)) }),
  },
  {
    name: "projects create",
    help: "create a project",
    positionals: ["NAME"],
    run: async ({ database }, input) => {
      const project = await createProject(await database(), readName(argument(input, 0), "NAME"));
      return { record: { ...project }, note: `Next: platform keys create ${project.id}` };
    },
  },
  {
    name: "projects set",
    help: "change the settings of a project",
    positionals: ["PROJECT"],
    options: {
      name: { valueName: "TEXT", help: "name of the project" },
      "public-contact-details": {
        valueName: "on|off",
        help: "return names and emails of contacts to calls with only an access key",
      },
    },
    run: async ({ database }, input) => {
      const name = firstOf(input, "name");
      const details = firstOf(input, "public-contact-details");
      if (name === undefined && details === undefined)
        throw new UsageFault("choose what to change with --name or --public-contact-details");
      if (details !== undefined && details !== "on" && details !== "off")
        throw new AdminFault(`--public-contact-details: expected on or off, found ${details}`);
      const queries = await database();
      const id = projectOf(input);
      await queries.query(
        `update project set name = coalesce($2, name), public_contact_details = coalesce($3, public_contact_details)
         where id = $1`,
        [
          id,
          name === undefined ? null : readName(name, "--name"),
          details === undefined ? null : details === "on",
        ],
      );
      return { record: await show(queries, id) };
    },
  },
  {
    name: "projects disable",
    help: "disable a project: calls with its keys are rejected, and its webhooks wait for up to seven days",
    positionals: ["PROJECT"],
    details: "Events of the time in which the project is disabled are not stored for its webhooks.",
    run: change(true),
  },
  {
    name: "projects enable",
    help: "enable a disabled project",
    positionals: ["PROJECT"],
    run: change(false),
  },
  {
    name: "projects delete",
    help: "delete a project and everything that belongs to it",
    positionals: ["PROJECT"],
    options: confirmOption,
    details: `Deletes keys, service accounts, audiences with their contacts, contracts, contract sources, webhooks with their
notifications, and streams. Orders, tokens and currencies describe chains and stay. If the command is interrupted, the project is
disabled; run the command again.`,
    run: remove,
  },
];

function projectOf(input: Input): number {
  return readProjectId(argument(input, 0));
}

function readName(name: string, place: string): string {
  if (name.length > nameMax)
    throw new UsageFault(`${place}: at most ${nameMax} characters, found ${name.length}`);
  return name;
}

function change(isDisabled: boolean): Command["run"] {
  return async ({ database }, input) => {
    const queries = await database();
    const id = projectOf(input);
    await disable(queries, id, isDisabled);
    return { record: await show(queries, id) };
  };
}

async function disable(database: Database, id: number, isDisabled: boolean): Promise<void> {
  const disabledAt = isDisabled ? "coalesce(disabled_at, now())" : "null";
  await database.transaction(async (tx) => {
    await tx.query(`update project set disabled_at = ${disabledAt} where id = $1`, [id]);
    await setDisabled(tx, id, isDisabled);
  });
}

async function remove(context: AdminContext, input: Input): Promise<Output> {
  const database = await context.database();
  const id = projectOf(input);
  const { name } = await show(database, id);
  const contents = await contentsOf(database, id);
  const parts = Object.entries(contents)
    .filter(([, count]) => count > 0)
    .map(([names, count]) => counted(count, spaced(names)));
  await confirm(context, input, {
    consequence: `project ${id} ("${name}") will be deleted${parts.length === 0 ? "" : ` with ${parts.join(", ")}`}`,
    word: String(id),
  });
  // From here on, no call and no block adds anything to it.
  await disable(database, id, true);
  await using session = await openSession({ ...database.connection, application_name: "platform: delete" });
  await deleteListenersOf(session, id);
  // The streams of the project go with it. Their networks are locked first, as by the follower.
  await session.transaction(async () => {
    await session.query(
      `select from webhook_network where chain_id in (select chain_id from event_stream where project_id = $1)
       order by chain_id for update`,
      [id],
    );
    await session.query("delete from project where id = $1", [id]);
  });
  return { record: { id, name: String(name), ...contents } };
}

/** What belongs to a project, as the operator counts it. */
type Contents = Readonly<Record<string, number>>;

const contentsSql = `
select (select count(*)::int from access_key where project_id = $1) as "accessKeys",
       (select count(*)::int from service_account where project_id = $1) as "serviceAccounts",
       (select count(*)::int from secret_key join service_account on address = account where project_id = $1) as "secretKeys",
       (select count(*)::int from project_origin where project_id = $1) as origins,
       (select count(*)::int from contract_source where project_id = $1) as "contractSources",
       (select count(*)::int from contract where project_id = $1) as contracts,
       (select count(*)::int from audience where project_id = $1) as audiences,
       (select coalesce(sum(contact_count), 0)::float8 from audience where project_id = $1) as contacts,
       (select count(*)::int from webhook_listener where project_id = $1) as "webhookListeners",
       (select count(*)::float8 from webhook_listener listener join webhook_notification notification on listener_id = listener.id
        where project_id = $1 and state = 'waiting') as "waitingNotifications",
       (select count(*)::int from event_stream where project_id = $1) as "eventStreams"`;

async function contentsOf(queries: Queries, id: number): Promise<Contents> {
  const [row = {}] = await queries.query<Contents>(contentsSql, [id]);
  return row;
}

async function show(queries: Queries, id: number): Promise<Row> {
  const [row] = await queries.query<Row>(
    `select id::float8 as id, name, disabled_at is not null as disabled, public_contact_details as "publicContactDetails",
            is_sandbox as sandbox, ${utc("created_at")} as "createdAt", ${utc("disabled_at")} as "disabledAt"
     from project where id = $1`,
    [id],
  );
  if (row === undefined) throw new AdminFault(`project ${id} does not exist; see: platform projects list`);
  return { ...row, ...(await contentsOf(queries, id)) };
}
