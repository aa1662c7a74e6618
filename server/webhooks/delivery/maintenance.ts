/** Fails or deletes notifications that exceed the limits of storage. */
import { inBackground, pause, repeatUntil } from "../../base/repeat.ts";
import type { Database, Queries, Transaction } from "../../base/storage/database.ts";
import type { WebhookEvents } from "../events.ts";
import { batchOf } from "../notifications.ts";
import { deleteOldStreams } from "../streams/stream-items.ts";
import { countWithout, type NotificationKey } from "./results.ts";

/** Most waiting notifications of one listener, and their maximum age in days. The oldest ones beyond these limits fail. */
const maxBacklog = 100_000;
const maxBacklogDays = 7;

/** How long events and their delivery results can be inspected and replayed, in days. */
const retentionDays = 30;

export const maintenanceIntervalMs = 60_000;

/** Most rows that one statement changes, and most batches that it deletes, with all their notifications. */
const maxRows = 5_000;
const maxBatches = 100;

/** Key of the advisory lock that lets only one process work at a time: any number that is not used elsewhere in the database. */
const maintenanceLock = 7_116_009;

export function openMaintenance(database: Database, events: WebhookEvents): AsyncDisposable {
  return inBackground(async (signal) => {
    const work = (): Promise<void> => runMaintenance(database, signal, events.notificationsFailed);
    await pause(maintenanceIntervalMs, signal);
    await repeatUntil(signal, maintenanceIntervalMs, work, events.failed);
  });
}

/** Runs rounds until no work is left or `signal` is aborted. Calls `onFailed` with the number of notifications that fail in a round. */
export async function runMaintenance(
  database: Database,
  signal: AbortSignal = new AbortController().signal,
  onFailed: (notifications: number) => void = () => {},
): Promise<void> {
  for (;;) {
    if (signal.aborted) return;
    const { failed, mayHaveMore } = await runRound(database);
    if (failed > 0) onFailed(failed);
    if (!mayHaveMore) return;
  }
}

interface Round {
  readonly failed: number;
  readonly mayHaveMore: boolean;
}

function runRound(database: Database): Promise<Round> {
  return database.transaction(async (tx) => {
    const [lock] = await tx.query<{ has_lock: boolean }>("select pg_try_advisory_xact_lock($1) as has_lock", [
      maintenanceLock,
    ]);
    if (lock?.has_lock !== true) return { failed: 0, mayHaveMore: false };
    const surplus = await tx.query<NotificationKey>(failOverflowSql, [maxBacklog]);
    const old = await tx.query<NotificationKey>(failOldSql, [maxBacklogDays, maxRows]);
    const orphans = await tx.query(dropOrphansSql, [maxRows]);
    const unblocked = await tx.query<Unblocked>(unblockSql, [maxRows]);
    const dropped = unblocked.filter(({ state }) => state === "dropped");
    const done = [old, orphans, unblocked];
    const batches = await deleteOldBatches(tx);
    await tx.query(deleteHealthSql);
    const items = await deleteOldStreams(tx, maxRows);
    return {
      failed: countWithout([...surplus, ...old], dropped),
      mayHaveMore: batches >= maxBatches || items >= maxRows || done.some(({ length }) => length >= maxRows),
    };
  });
}

const failOverflowSql = `
with recursive backlog as (
  (select listener_id from webhook_notification where state = 'waiting' order by listener_id limit 1)
  union all
  select (select listener_id from webhook_notification
          where state = 'waiting' and listener_id > backlog.listener_id order by listener_id limit 1)
  from backlog where backlog.listener_id is not null
), surplus as (
  select notification.chain_id, notification.sequence
  from backlog cross join lateral (
    select chain_id, sequence from webhook_notification
    where state = 'waiting' and listener_id = backlog.listener_id
    order by sequence desc offset $1
  ) as notification
  where backlog.listener_id is not null
)
update webhook_notification notification set state = 'failed'
from surplus where notification.chain_id = surplus.chain_id and notification.sequence = surplus.sequence
returning notification.chain_id, notification.sequence`;

const failOldSql = `
with old as (
  select notification.chain_id, notification.sequence
  from webhook_notification notification cross join lateral (${batchOf("notification")}) as batch
  where batch.stored_at < now() - make_interval(days => $1) and notification.state = 'waiting'
    -- A replayed notification may wait this long again.
    and notification.due_at + make_interval(days => $1) < now()
  limit $2
)
update webhook_notification notification set state = 'failed'
from old where notification.chain_id = old.chain_id and notification.sequence = old.sequence
returning notification.chain_id, notification.sequence`;

const dropOrphansSql = `
with orphan as (
  select chain_id, sequence from webhook_notification notification
  where state = 'waiting' and not exists (select 1 from webhook_listener where id = notification.listener_id)
  limit $1
)
update webhook_notification notification set state = 'dropped'
from orphan where notification.chain_id = orphan.chain_id and notification.sequence = orphan.sequence
returning 1`;

/**
 * Releases removals whose addition is no longer waiting. A removal is also sent if its addition was accepted, replayed and then failed.
 */
const unblockSql = `
with decided as (
  select removal.chain_id, removal.sequence, removal.after, addition.state,
         exists (select 1 from webhook_attempt where chain_id = addition.chain_id and sequence = addition.sequence
                 and fault is null) as was_accepted
  from webhook_notification removal
  join webhook_notification addition on addition.chain_id = removal.chain_id and addition.sequence = removal.after
  where removal.state = 'waiting' and removal.due_at = 'infinity' and addition.state <> 'waiting'
  limit $1
), dropped as (
  update webhook_notification addition set state = 'dropped'
  from decided where decided.state = 'failed' and not decided.was_accepted
    and addition.chain_id = decided.chain_id and addition.sequence = decided.after
)
update webhook_notification removal
set state = case when decided.state = 'accepted' or (decided.state = 'failed' and decided.was_accepted) then 'waiting' else 'dropped' end,
    due_at = now()
from decided where removal.chain_id = decided.chain_id and removal.sequence = decided.sequence
returning removal.chain_id, removal.after as sequence, removal.state`;

/** The key is that of the addition. */
interface Unblocked extends NotificationKey {
  /** Of the removal. If the addition had failed, both are dropped. */
  readonly state: string;
}

/** In the order of the primary key, in which the oldest batches are the first ones. */
const oldBatchesSql = `
select chain_id, first_sequence::float8 as first, last_sequence::float8 as last from webhook_batch
where stored_at < now() - make_interval(days => $1)
order by webhook_batch.chain_id, first_sequence limit $2`;

interface SequenceRange {
  readonly chain_id: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Deletes old batches with their notifications and attempts. Returns the number of batches. Deletes ranges of sequences: for a join with the
 * batches, Postgres would read all notifications.
 */
async function deleteOldBatches(tx: Transaction): Promise<number> {
  const batches = await tx.query<SequenceRange>(oldBatchesSql, [retentionDays, maxBatches]);
  for (const { chain_id, first, last } of joinedRanges(batches)) {
    const range = [chain_id, first, last];
    const isInRange = "chain_id = $1 and sequence between $2 and $3";
    await tx.query(`delete from webhook_attempt where ${isInRange}`, range);
    await tx.query(`delete from webhook_notification where ${isInRange}`, range);
    await tx.query(
      "delete from webhook_batch where chain_id = $1 and first_sequence between $2 and $3",
      range,
    );
  }
  return batches.length;
}

/** Joins ranges that follow each other without a gap. */
function joinedRanges(ranges: readonly SequenceRange[]): readonly SequenceRange[] {
  const joined: SequenceRange[] = [];
  for (const range of ranges) {
    const before = joined.at(-1);
    if (before?.chain_id === range.chain_id && before.last + 1 === range.first)
      joined[joined.length - 1] = { ...before, last: range.last };
    else joined.push(range);
  }
  return joined;
}

const deleteHealthSql =
  "delete from webhook_health where not exists (select 1 from webhook_listener where id = listener_id)";

/* What keeps notifications from being delivered, for the operator's metrics. Each query is cheap, because it runs at every scrape. */

/** The oldest held block of each network and delivery is the first entry of its index. */
const oldestHeldSql = {
  name: "webhook-oldest-held",
  text: `
select coalesce(extract(epoch from now() - min(oldest.due_at)), 0)::float8 as number
from webhook_network network
cross join (values ('safe'), ('finalized')) as demand (delivery)
cross join lateral (
  select due_at from webhook_notification
  where chain_id = network.chain_id and delivery = demand.delivery and state = 'held'
  order by block_number limit 1
) as oldest`,
};

/** Time since the oldest held notification was stored, in seconds: its block is not yet safe or final. 0 without held ones. */
export function oldestHeldSeconds(queries: Queries): Promise<number> {
  return numberOf(queries, oldestHeldSql);
}

const failingSql = {
  name: "webhook-failing-listeners",
  text: `
select count(*)::float8 as number
from webhook_health join webhook_listener listener on listener.id = listener_id
where is_failing and listener.pause_reason is null and not listener.is_disabled
  and exists (select from webhook_notification where listener_id = listener.id and state = 'waiting')`,
};

/** Active listeners whose notifications wait because their receiver fails. */
export function countFailing(queries: Queries): Promise<number> {
  return numberOf(queries, failingSql);
}

/** Reads the index of paused listeners only, however many listeners there are. */
const pausedSql = {
  name: "webhook-paused",
  text: "select count(*)::float8 as number from webhook_listener where pause_reason in ('failing', 'gone')",
};

/** Listeners that the platform has paused, not their owners. */
export function countPaused(queries: Queries): Promise<number> {
  return numberOf(queries, pausedSql);
}

async function numberOf(
  queries: Queries,
  sql: { readonly name: string; readonly text: string },
): Promise<number> {
  const [row] = await queries.query<{ readonly number: number }>(sql);
  return row?.number ?? 0;
}
