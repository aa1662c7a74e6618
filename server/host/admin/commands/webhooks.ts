import type { Queries } from "../../../base/storage/database.ts";
import { utcSeconds } from "../../../base/storage/sql.ts";
import { isNotified, type Past } from "../../../webhooks/listener.ts";
import { type ListenerScope, removeListener, replaceSecret, setPaused } from "../../../webhooks/listeners.ts";
import { batchOf, type NotificationState, notificationStates } from "../../../webhooks/notifications.ts";
import { blocksLeft, pastOf } from "../../../webhooks/past-progress.ts";
import { type ReplayFilter, replay } from "../../../webhooks/replay.ts";
import { createSecretBox, generateSecret } from "../../../webhooks/secret.ts";
import {
  type AdminContext,
  AdminFault,
  argument,
  type Command,
  chainIdNamed,
  confirm,
  confirmOption,
  counted,
  firstOf,
  type Input,
  limitOption,
  listOfProject,
  type Output,
  type Row,
  readLimit,
  readTime,
  signingKeysOfHosts,
} from "../command.ts";

export const webhooks: readonly Command[] = [
  listOfProject(
    "webhooks list",
    "list listeners, of all projects or of one, with their queued notifications",
    listWebhooks,
  ),
  {
    name: "webhooks show",
    help: "show a listener's newest notifications and their state",
    positionals: ["LISTENER"],
    options: {
      state: { valueName: notificationStates.join("|"), help: "only notifications in this state" },
      ...limitOption,
    },
    run: async ({ database }, input) => {
      const state = readState(firstOf(input, "state"));
      const limit = readLimit(input);
      const queries = await database();
      const listener = readListenerId(argument(input, 0));
      const reading = await showPast(queries, listener);
      if (reading === undefined) throw unknownListener(listener);
      const notes = [...pastTexts(reading), ...(await failureTexts(queries, listener))];
      return {
        list: await showWebhook(queries, listener, { state, limit }),
        ...(notes.length === 0 ? {} : { note: notes.join("\n") }),
      };
    },
  },
  {
    name: "webhooks replay",
    help: "resend notifications that failed or were accepted: one, all of a listener, or those of a range of blocks or times",
    positionals: [],
    options: {
      uid: { valueName: "UID", help: "only this event, to all its listeners unless --listener is given" },
      listener: { valueName: "LISTENER", help: "only those of this listener" },
      network: { valueName: "NETWORK", help: "only those of this network" },
      "from-block": { valueName: "N", help: "from this block on" },
      "to-block": { valueName: "N", help: "up to this block" },
      since: {
        valueName: "TIME",
        help: "stored from this time on: 2027-01-31 or 2027-01-31T12:00:00Z (UTC)",
      },
      until: { valueName: "TIME", help: "stored before this time" },
      state: {
        valueName: "failed|all",
        help: "only failed notifications, or accepted ones too (default: failed; with --uid: all)",
      },
    },
    run: async (context, input) => {
      const choice = replayChoice(context, input);
      const queries = await context.database();
      const { listenerId } = choice;
      if (listenerId !== undefined && (await showPast(queries, listenerId)) === undefined)
        throw unknownListener(listenerId);
      const replayed = await replay(queries, choice);
      if (replayed === undefined)
        throw new AdminFault(
          `no event has the uid "${choice.uid?.slice(0, 80)}"; see: platform webhooks show LISTENER`,
        );
      const note = "Nothing was replayed. Notifications that still wait are sent without a replay.";
      return { record: { replayed }, ...(replayed === 0 ? { note } : {}) };
    },
  },
  {
    name: "webhooks pause",
    help: "pause a listener: new events are not stored; past blocks wait",
    positionals: ["LISTENER"],
    run: pause(true),
  },
  {
    name: "webhooks resume",
    help: "resume a paused listener",
    positionals: ["LISTENER"],
    run: pause(false),
  },
  {
    name: "webhooks rotate",
    help: "create a new secret for a listener; for a day, calls are signed with the old one too",
    positionals: ["LISTENER"],
    run: async ({ config, database }, input) => {
      const id = readListenerId(argument(input, 0));
      const queries = await database();
      const secrets = createSecretBox(await signingKeysOfHosts(config, queries));
      const scope = await scopeOf(queries, id);
      const secret = generateSecret();
      if (!(await replaceSecret(queries, scope, id, secrets.seal(secret, id)))) throw unknownListener(id);
      return {
        record: { listener: id, projectId: scope.projectId, secret },
        note: "Save the secret now, and give it to the receiver: only its encrypted form is stored.",
      };
    },
  },
  {
    name: "webhooks delete",
    help: "delete a listener, as its owner would",
    positionals: ["LISTENER"],
    options: confirmOption,
    run: async (context, input) => {
      const id = readListenerId(argument(input, 0));
      const database = await context.database();
      const scope = await scopeOf(database, id);
      const [unsent] = await database.query<{ count: number }>(
        `select count(*)::int as count from webhook_notification
         where listener_id = $1 and (state = 'waiting' or state = 'held')`,
        [id],
      );
      const notifications = unsent?.count ?? 0;
      await confirm(context, input, {
        consequence: `listener ${id} of project ${scope.projectId} will be deleted, and ${counted(notifications, "notifications")} will not be sent`,
        word: String(id),
      });
      if (!(await database.transaction((tx) => removeListener(tx, scope, id)))) throw unknownListener(id);
      return { record: { listener: id, projectId: scope.projectId, notifications } };
    },
  },
];

async function scopeOf(queries: Queries, listener: number): Promise<ListenerScope> {
  const [scope] = await queries.query<ListenerScope & Row>(
    `select project_id::float8 as "projectId", chain_id::float8 as "chainId" from webhook_listener where id = $1`,
    [listener],
  );
  if (scope === undefined) throw unknownListener(listener);
  return scope;
}

function pastTexts({ past, isPaused, isWaiting }: PastReading): readonly string[] {
  if (past === null) return [];
  const { fromBlock, nextBlock, toBlock } = past;
  if (isPaused) return [`Reading past blocks is paused at block ${nextBlock} of ${fromBlock} to ${toBlock}.`];
  if (isWaiting) return [`Reading past blocks waits until block ${nextBlock} is followed.`];
  return [`Past blocks are being read, from ${fromBlock} to ${toBlock}; the next one is ${nextBlock}.`];
}

function pause(isPaused: boolean) {
  return async ({ database }: AdminContext, input: Input): Promise<Output> => {
    const listener = readListenerId(argument(input, 0));
    if (!(await setPaused(await database(), listener, isPaused))) throw unknownListener(listener);
    return { record: { listener, active: !isPaused } };
  };
}

function unknownListener(listener: number): AdminFault {
  return new AdminFault(`listener ${listener} does not exist; see: platform webhooks list`);
}

function replayChoice({ config }: AdminContext, input: Input): ReplayFilter {
  const uid = firstOf(input, "uid");
  const listener = firstOf(input, "listener");
  const network = firstOf(input, "network");
  const [fromBlock, toBlock] = [numberOf(input, "from-block"), numberOf(input, "to-block")];
  const [since, until] = [timeOf(input, "since"), timeOf(input, "until")];
  const state = firstOf(input, "state") ?? (uid === undefined ? "failed" : "all");
  if (state !== "failed" && state !== "all")
    throw new AdminFault(`--state: expected failed or all, found "${state}"`);
  if (uid === undefined && listener === undefined && network === undefined)
    throw new AdminFault("choose what to replay with --uid, --listener or --network");
  if ((fromBlock ?? toBlock) !== undefined && listener === undefined && network === undefined)
    throw new AdminFault("--from-block and --to-block need --network or --listener");
  if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock)
    throw new AdminFault(`--from-block: ${fromBlock} is above --to-block, ${toBlock}`);
  if ((since ?? until) !== undefined && listener === undefined && network === undefined)
    throw new AdminFault("--since and --until need --network or --listener");
  if (since !== undefined && until !== undefined && since >= until)
    throw new AdminFault("--since: it must be before --until");
  return {
    uid,
    listenerId: listener === undefined ? undefined : readListenerId(listener),
    chainId: network === undefined ? undefined : chainIdNamed(config, network),
    fromBlock,
    toBlock,
    since,
    until,
    onlyFailed: state === "failed",
  };
}

function readState(text: string | undefined): NotificationState | undefined {
  if (text === undefined) return undefined;
  const state = notificationStates.find((known) => known === text);
  if (state === undefined)
    throw new AdminFault(`--state: expected one of ${notificationStates.join(", ")}, found "${text}"`);
  return state;
}

function readListenerId(text: string): number {
  if (!/^[0-9]{1,10}$/.test(text))
    throw new AdminFault(`invalid listener id "${text}"; see: platform webhooks list`);
  return Number(text);
}

function timeOf(input: Input, option: string): Date | undefined {
  const text = firstOf(input, option);
  const time = text === undefined ? undefined : readTime(text);
  if (text !== undefined && time === undefined)
    throw new AdminFault(`--${option}: expected 2027-01-31 or 2027-01-31T12:00:00Z, found "${text}"`);
  return time;
}

function numberOf(input: Input, option: string): number | undefined {
  const text = firstOf(input, option);
  if (text === undefined) return undefined;
  if (!/^[0-9]{1,15}$/.test(text)) throw new AdminFault(`--${option}: expected a number, found "${text}"`);
  return Number(text);
}

/* Queries of the commands `webhooks list` and `webhooks show`. */

type TableRow = Readonly<Record<string, string | number | boolean | null>>;

const listSql = `
select listener.id::float8 as listener, listener.project_id::float8 as "projectId", listener.chain_id::float8 as "chainId",
       listener.name, listener.url,
       case when listener.is_disabled then 'project disabled' else case listener.pause_reason when 'owner' then 'paused by owner' else coalesce(listener.pause_reason, case when listener.secret = '' then 'secret lost' end, 'active') end end as state,
       listener.delivery, case listener.delivery when 'head' then listener.confirmations end as confirmations,
       (select count(*)::float8 from webhook_notification where listener_id = listener.id and state = 'held') as held,
       (select count(*)::float8 from webhook_notification where listener_id = listener.id and state = 'waiting') as waiting,
       (select count(*)::float8 from webhook_notification where listener_id = listener.id and state = 'failed') as failed,
       ${utcSeconds("health.failing_since")} as "failingSince",
       (select (${blocksLeft})::float8 from webhook_past past
        join follower_cursor cursor on cursor.chain_id = past.chain_id where past.listener_id = listener.id) as "pastBlocks"
from webhook_listener listener left join webhook_health health on health.listener_id = listener.id
where $1::bigint is null or listener.project_id = $1
order by listener.project_id, listener.chain_id, listener.id`;

export function listWebhooks(queries: Queries, projectId: number | null): Promise<readonly TableRow[]> {
  return queries.query<TableRow>(listSql, [projectId]);
}

const pastSql = `
select ${pastOf("listener.id")} as past, not ${isNotified} as "isPaused",
       exists (select from webhook_past past join follower_cursor cursor on cursor.chain_id = past.chain_id
               where listener_id = listener.id and next_block > block_number) as "isWaiting"
from webhook_listener listener where id = $1`;

interface PastReading {
  /** Null: the listener gets new blocks. */
  readonly past: Past | null;
  /** No blocks are read for the listener, because its owner has paused it or its receiver is gone. */
  readonly isPaused: boolean;
  /** The host has not followed the next block of the past. */
  readonly isWaiting: boolean;
}

/** Returns undefined if the listener does not exist. */
async function showPast(queries: Queries, listenerId: number): Promise<PastReading | undefined> {
  const [reading] = await queries.query<PastReading>(pastSql, [listenerId]);
  return reading;
}

const historySql = `
select notification.sequence::float8 as sequence,
       webhook_uid(batch.chain_id, block_hash, log_indexes[notification.event - first_event + 1], is_removal) as uid,
       notification.state, batch.block_number::float8 as block,
       case when is_removal then 'BLOCK_REMOVED' else 'BLOCK_ADDED' end as type, notification.attempts,
       attempt.status, attempt.fault,
       ${utcSeconds("attempt.at")} as "lastAttempt",
       case when notification.state = 'waiting' and isfinite(notification.due_at)
            then ${utcSeconds("notification.due_at")} end as due
from webhook_listener listener
join webhook_notification notification on notification.chain_id = listener.chain_id and notification.listener_id = listener.id
cross join lateral (${batchOf("notification")}) as batch
left join webhook_attempt attempt on attempt.chain_id = notification.chain_id
  and attempt.sequence = notification.sequence and attempt.attempt = notification.attempts
where listener.id = $1 and ($2::text is null or notification.state = $2)
order by notification.sequence desc limit $3`;

/** Why the last call of a failing listener failed. Its newest notifications have not been tried. */
async function failureTexts(queries: Queries, listenerId: number): Promise<readonly string[]> {
  const rows = await queries.query<{ fault: string; at: string }>(
    `select fault, ${utcSeconds("at")} as at
     from webhook_health health
     join webhook_notification notification on notification.listener_id = health.listener_id and notification.attempts > 0
     join webhook_attempt attempt on attempt.chain_id = notification.chain_id and attempt.sequence = notification.sequence
     where health.listener_id = $1 and failing_since is not null and fault is not null
       and (notification.state = 'waiting' or notification.state = 'failed')
     order by attempt.at desc limit 1`,
    [listenerId],
  );
  return rows.map(({ fault, at }) => `The last call, at ${at}, failed: ${fault}`);
}

/** The newest notifications of a listener, each with its last attempt. */
export function showWebhook(
  queries: Queries,
  listenerId: number,
  { state, limit }: { readonly state: NotificationState | undefined; readonly limit: number },
): Promise<readonly TableRow[]> {
  return queries.query<TableRow>(historySql, [listenerId, state ?? null, limit]);
}
