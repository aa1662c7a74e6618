/** Stores the results of attempts to deliver notifications. */
import type { Database } from "../../base/storage/database.ts";
import type { WebhookEvents } from "../events.ts";
import type { NotificationState } from "../notifications.ts";
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
  returning notification.chain_id, notification.sequence, notification.attempts, notification.state
), attempt as (
  insert into webhook_attempt (chain_id, sequence, attempt, at, took_ms, status, fault)
  select chain_id, sequence, stored.attempts, at, took_ms, status, fault
  from stored join result using (chain_id, sequence)
  on conflict do nothing
)
select chain_id, sequence from stored where state = 'failed'`,
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
  set state = case when addition.state = 'failed' and not exists (
        select 1 from webhook_attempt where chain_id = addition.chain_id and sequence = addition.sequence and fault is null
      ) then 'dropped' else removal.state end,
      due_at = now()
  from webhook_notification addition
  where removal.state = 'waiting' and removal.due_at = 'infinity'
    and (removal.chain_id, removal.after) in (select * from unnest($1::bigint[], $2::bigint[]))
    and addition.chain_id = removal.chain_id and addition.sequence = removal.after
    and addition.state in ('accepted', 'failed')
  returning removal.chain_id, removal.after, removal.state
), dropped as (
  update webhook_notification addition set state = 'dropped'
  from freed
  where freed.state = 'dropped' and addition.chain_id = freed.chain_id and addition.sequence = freed.after
  returning addition.chain_id, addition.sequence
)
select * from dropped`,
};

export interface NotificationKey {
  readonly chain_id: string;
  readonly sequence: string;
}

export function countWithout(keys: readonly NotificationKey[], excluded: readonly NotificationKey[]): number {
  const textOf = ({ chain_id, sequence }: NotificationKey): string => `${chain_id} ${sequence}`;
  const texts = new Set(excluded.map(textOf));
  return keys.filter((key) => !texts.has(textOf(key))).length;
}

interface StoredResults {
  readonly health: readonly Health[];
  /** Number of notifications that have failed by these results. Results of dropped notifications do not count. */
  readonly failed: number;
}

/**
 * Stores the results of attempts. The commit is not flushed to disk: if Postgres
 * crashes at that moment, some notifications are sent twice, which at-least-once delivery permits.
 */
export function storeResults(database: Database, batch: readonly AttemptResult[]): Promise<StoredResults> {
  const chainIds = batch.map(({ item }) => item.chainId);
  const sequences = batch.map(({ item }) => item.sequence);
  return database.transaction(async (tx) => {
    await tx.query("set local synchronous_commit to off");
    const failed = await tx.query<NotificationKey>(storeResultsSql, [
      chainIds,
      sequences,
      batch.map(({ state }) => state),
      batch.map(({ waitMs }) => waitMs / 1_000),
      batch.map(({ at }) => at),
      batch.map(({ tookMs }) => Math.round(tookMs)),
      batch.map(({ status }) => status ?? null),
      batch.map(({ fault }) => fault ?? null),
    ]);
    // A separate statement, to see a removal that was committed while the previous statement waited for a row lock.
    const dropped = await tx.query<NotificationKey>(unblockSql, [chainIds, sequences]);
    return { health: await storeHealth(tx, batch), failed: countWithout(failed, dropped) };
  });
}

/** Stores the results of a batch of attempts, and returns the health of their receivers. */
export type StoreResults = (batch: readonly AttemptResult[]) => Promise<readonly Health[]>;

/** Transactions at a time. A second one, because the first may wait for the lock of a notification whose block is being removed. */
const maxConcurrent = 2;

interface WaitingBatch {
  readonly batch: readonly AttemptResult[];
  readonly done: (health: readonly Health[]) => void;
  readonly fail: (err: unknown) => void;
}

/** Stores batches of several destinations that come at the same time in one transaction: many destinations cost as few queries as one. */
export function createResultWriter(
  database: Database,
  onFailed: WebhookEvents["notificationsFailed"],
): StoreResults {
  let waiting: WaitingBatch[] = [];
  let running = 0;

  async function run(): Promise<void> {
    running++;
    while (waiting.length > 0) {
      const batches = waiting;
      waiting = [];
      await storeTogether(batches, database, onFailed);
    }
    running--;
  }

  function start(): void {
    if (running < maxConcurrent && waiting.length > 0) void run();
  }

  return (batch) =>
    new Promise((done, fail) => {
      waiting.push({ batch, done, fail });
      // Later, so that batches of the same moment are stored together.
      if (running < maxConcurrent) setImmediate(start);
    });
}

async function storeTogether(
  batches: readonly WaitingBatch[],
  ...[database, onFailed]: Parameters<typeof createResultWriter>
): Promise<void> {
  try {
    const { health, failed } = await storeResults(
      database,
      batches.flatMap(({ batch }) => batch),
    );
    if (failed > 0) onFailed(failed);
    for (const { done, batch } of batches) {
      const listeners = new Set(batch.map(({ item }) => item.listener.id));
      done(health.filter(({ listenerId }) => listeners.has(listenerId)));
    }
  } catch (err) {
    const [first] = batches;
    if (batches.length === 1) return first?.fail(err);
    // A batch that cannot be stored must not hold up those of other destinations.
    await Promise.all(batches.map((each) => storeTogether([each], database, onFailed)));
  }
}
