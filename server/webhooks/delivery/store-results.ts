/** Stores the results of attempts to deliver notifications. */
import type { Database } from "../../base/storage/database.ts";
import { type NotificationState, storedFailed, storedState } from "../notification-state.ts";
import type { QueueItem } from "./queue.ts";
import { type Health, storeHealth } from "./receiver-health.ts";

export interface AttemptResult {
  readonly item: QueueItem;
  /** Of the notification, after the attempt. */
  readonly state: Extract<NotificationState, "accepted" | "waiting" | "failed">;
  /** Delay before the next attempt, in milliseconds. */
  readonly waitMs: number;
  readonly at: Date;
  readonly tookMs: number;
  readonly status: number | undefined;
  readonly fault: string | undefined;
}

const storeResultsSql = {
  name: "webhook-store-results",
  text: `
with result as (
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::float8[], $5::timestamptz[], $6::int[], $7::int[], $8::text[])
    as result (chain_id, sequence, state, wait_seconds, at, took_ms, status, fault)
), stored as (
  update webhook_notification notification
  set state = result.state, attempts = attempts + 1,
      due_at = case when result.state = 'waiting' then now() + make_interval(secs => result.wait_seconds) else due_at end
  from result
  where notification.chain_id = result.chain_id and notification.sequence = result.sequence
    and notification.state = 'waiting'
  returning notification.chain_id, notification.sequence, notification.attempts
)
insert into webhook_attempt (chain_id, sequence, attempt, at, took_ms, status, fault)
select chain_id, sequence, stored.attempts, at, took_ms, status, fault
from stored join result using (chain_id, sequence)
on conflict do nothing`,
};

/**
 * Releases removals whose addition was accepted. If the addition failed and was never accepted, the receiver needs neither, and
 * both are dropped.
 */
const unblockSql = {
  name: "webhook-unblock",
  text: `
with freed as (
  update webhook_notification removal
  set state = case when addition.state = '${storedFailed}' and not exists (
        select 1 from webhook_attempt where chain_id = addition.chain_id and sequence = addition.sequence and fault is null
      ) then 'dropped' else removal.state end,
      due_at = now()
  from webhook_notification addition
  where removal.state = 'waiting' and removal.due_at = 'infinity'
    and (removal.chain_id, removal.after) in (select * from unnest($1::bigint[], $2::bigint[]))
    and addition.chain_id = removal.chain_id and addition.sequence = removal.after
    and addition.state in ('accepted', '${storedFailed}')
  returning removal.chain_id, removal.after, removal.state
), dropped as (
  update webhook_notification addition set state = 'dropped'
  from freed
  where freed.state = 'dropped' and addition.chain_id = freed.chain_id and addition.sequence = freed.after
)
select count(*) from freed where state = 'waiting'`,
};

/**
 * Stores the results of attempts, and returns the health of the receivers. The commit is not flushed to disk: if Postgres
 * crashes at that moment, some notifications are sent twice, which at-least-once delivery permits.
 */
export function storeResults(
  database: Database,
  batch: readonly AttemptResult[],
): Promise<readonly Health[]> {
  const chainIds = batch.map(({ item }) => item.chainId);
  const sequences = batch.map(({ item }) => item.sequence);
  return database.transaction(async (tx) => {
    await tx.query("set local synchronous_commit to off");
    await tx.query(storeResultsSql, [
      chainIds,
      sequences,
      batch.map(({ state }) => storedState(state)),
      batch.map(({ waitMs }) => waitMs / 1_000),
      batch.map(({ at }) => at),
      batch.map(({ tookMs }) => Math.round(tookMs)),
      batch.map(({ status }) => status ?? null),
      batch.map(({ fault }) => fault ?? null),
    ]);
    // A separate statement, to see a removal that was committed while the previous statement waited for a row lock.
    await tx.query(unblockSql, [chainIds, sequences]);
    return storeHealth(tx, batch);
  });
}
