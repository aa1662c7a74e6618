/** Parks and deletes notifications, and deletes kept responses, that exceed the limits of storage. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../base/storage/database.ts";
import { deleteOldResponses } from "../../base/storage/kept-responses.ts";
import type { DeliveryEvents } from "./events.ts";

/** Most waiting notifications of one listener, and their maximum age in days. The oldest ones beyond these limits are parked. */
const maxBacklog = 100_000;
const maxBacklogDays = 7;

/** How long events and their delivery results can be inspected and replayed, in days. */
const retentionDays = 30;

/** Interval between runs in milliseconds, and most rows changed by one statement. */
export const maintenanceIntervalMs = 60_000;
const batchRows = 5_000;

/** Key of the advisory lock that lets only one process work at a time: any number that is not used elsewhere in the database. */
const maintenanceLock = 7_116_009;

export function openMaintenance(database: Database, events: DeliveryEvents): AsyncDisposable {
  const stop = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await sleep(maintenanceIntervalMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      try {
        await runMaintenance(database, stop.signal);
      } catch (err) {
        events.failed(err);
      }
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** Runs rounds until no work is left or `signal` is aborted. */
export async function runMaintenance(
  database: Database,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  while (!signal.aborted && (await runRound(database))) {}
}

/** Runs one round. Returns true if there may be work for another one. */
function runRound(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [lock] = await tx.query<{ has_lock: boolean }>("select pg_try_advisory_xact_lock($1) as has_lock", [
      maintenanceLock,
    ]);
    if (lock?.has_lock !== true) return false;
    await tx.query(parkOverflowSql, [maxBacklog]);
    const done = [
      await tx.query(parkOldSql, [maxBacklogDays, batchRows]),
      await tx.query(dropOrphansSql, [batchRows]),
      await tx.query(unblockSql, [batchRows]),
      await tx.query(deleteOldSql, [retentionDays, batchRows]),
    ];
    await tx.query(deleteHealthSql);
    const responses = await deleteOldResponses(tx, batchRows);
    return responses >= batchRows || done.some(({ length }) => length >= batchRows);
  });
}

const parkOverflowSql = `
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
update webhook_notification notification set state = 'parked'
from surplus where notification.chain_id = surplus.chain_id and notification.sequence = surplus.sequence`;

const parkOldSql = `
with old as (
  select notification.chain_id, notification.sequence
  from webhook_event event
  join webhook_notification notification on notification.chain_id = event.chain_id and notification.event = event.number
  where event.stored_at < now() - make_interval(days => $1) and notification.state = 'waiting'
    -- A replayed notification may wait this long again.
    and notification.due_at + make_interval(days => $1) < now()
  limit $2
)
update webhook_notification notification set state = 'parked'
from old where notification.chain_id = old.chain_id and notification.sequence = old.sequence
returning 1`;

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
 * Releases removals whose addition is no longer waiting. A removal is also sent if its addition was accepted, replayed and then parked.
 */
const unblockSql = `
with settled as (
  select removal.chain_id, removal.sequence, removal.after, addition.state,
         exists (select 1 from webhook_attempt where chain_id = addition.chain_id and sequence = addition.sequence
                 and fault is null) as was_accepted
  from webhook_notification removal
  join webhook_notification addition on addition.chain_id = removal.chain_id and addition.sequence = removal.after
  where removal.state = 'waiting' and removal.due_at = 'infinity' and addition.state <> 'waiting'
  limit $1
), dropped as (
  update webhook_notification addition set state = 'dropped'
  from settled where settled.state = 'parked' and not settled.was_accepted
    and addition.chain_id = settled.chain_id and addition.sequence = settled.after
)
update webhook_notification removal
set state = case when settled.state = 'accepted' or (settled.state = 'parked' and settled.was_accepted) then 'waiting' else 'dropped' end,
    due_at = now()
from settled where removal.chain_id = settled.chain_id and removal.sequence = settled.sequence
returning 1`;

const deleteOldSql = `
with old as (
  select chain_id, number from webhook_event where stored_at < now() - make_interval(days => $1) limit $2
), notification as (
  delete from webhook_notification using old
  where webhook_notification.chain_id = old.chain_id and webhook_notification.event = old.number
  returning webhook_notification.chain_id, webhook_notification.sequence
), attempt as (
  delete from webhook_attempt using notification
  where webhook_attempt.chain_id = notification.chain_id and webhook_attempt.sequence = notification.sequence
)
delete from webhook_event using old where webhook_event.chain_id = old.chain_id and webhook_event.number = old.number
returning 1`;

const deleteHealthSql =
  "delete from webhook_health where not exists (select 1 from webhook_listener where id = listener_id)";
