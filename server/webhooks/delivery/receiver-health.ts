/** Which attempts count for and against a receiver. A receiver that fails for too long is paused; one that responds 410 at once. */
import type { Queries, Transaction } from "../../base/storage/database.ts";
import type { ChangedListener } from "../events.ts";
import type { NotificationState } from "../notifications.ts";
import type { DeliveryLimits } from "./limits.ts";

const healthSql = {
  name: "webhook-health",
  text: `
insert into webhook_health (listener_id, attempts, successes, failing_since)
select * from unnest($1::bigint[], $2::int[], $3::int[], $4::timestamptz[]) as batch (listener_id, attempts, successes, failing_since)
order by listener_id
on conflict (listener_id) do update set
  attempts = webhook_health.attempts + excluded.attempts,
  successes = webhook_health.successes + excluded.successes,
  failing_since = case when excluded.successes > 0 then excluded.failing_since
                       else coalesce(webhook_health.failing_since, excluded.failing_since) end
returning listener_id, attempts, successes, failing_since, is_failing`,
};

/** The part of an attempt that counts. `state`: of the notification, after the attempt. */
interface Attempt {
  readonly item: { readonly listener: { readonly id: number } };
  readonly state: NotificationState;
  readonly at: Date;
}

/** Success and failure counts of a receiver since its listener was created or resumed. */
export interface Health {
  readonly listenerId: number;
  readonly attempts: number;
  readonly successes: number;
  readonly failingSince: Date | undefined;
  /** Whether it was reported that the receiver fails. */
  readonly isFailing: boolean;
}

interface HealthRow {
  readonly listener_id: string;
  readonly attempts: string;
  readonly successes: string;
  readonly failing_since: Date | null;
  readonly is_failing: boolean;
}

/** Adds attempts to the health of their receivers, and returns it. */
export async function storeHealth(tx: Transaction, batch: readonly Attempt[]): Promise<readonly Health[]> {
  const health = healthOf(batch);
  const rows = await tx.query<HealthRow>(healthSql, [
    health.map(({ listenerId }) => listenerId),
    health.map(({ attempts }) => attempts),
    health.map(({ successes }) => successes),
    health.map(({ failingSince }) => failingSince ?? null),
  ]);
  return rows.map((row) => ({
    listenerId: Number(row.listener_id),
    attempts: Number(row.attempts),
    successes: Number(row.successes),
    failingSince: row.failing_since ?? undefined,
    isFailing: row.is_failing,
  }));
}

function healthOf(batch: readonly Attempt[]): readonly Omit<Health, "isFailing">[] {
  const byListener = new Map<number, Omit<Health, "isFailing">>();
  for (const { item, state, at } of batch) {
    const listenerId = item.listener.id;
    const before = byListener.get(listenerId) ?? {
      listenerId,
      attempts: 0,
      successes: 0,
      failingSince: undefined,
    };
    const succeeded = state === "accepted";
    byListener.set(listenerId, {
      listenerId,
      attempts: before.attempts + 1,
      successes: before.successes + (succeeded ? 1 : 0),
      failingSince: succeeded ? undefined : (before.failingSince ?? at),
    });
  }
  return [...byListener.values()];
}

/* Changes of a listener's state that the platform makes on its own. The functions return the listener if anything changed. */

/** SQL: the columns of `ChangedListener`. */
const changed = `listener.id::float8 as "listenerId", listener.project_id::float8 as project, listener.host`;

const failingSql = {
  name: "webhook-failing",
  text: `update webhook_health health set is_failing = $2 from webhook_listener listener
         where health.listener_id = $1 and listener.id = $1 and is_failing <> $2 returning ${changed}`,
};

/** Stores that a receiver fails, or has recovered, before that is reported. */
export async function setFailing(
  queries: Queries,
  listenerId: number,
  isFailing: boolean,
): Promise<ChangedListener | undefined> {
  return (await queries.query<ChangedListener>(failingSql, [listenerId, isFailing]))[0];
}

const pauseSql = {
  name: "webhook-pause",
  text: `with paused as (
           update webhook_listener listener set pause_reason = $2, updated_at = now()
           where id = $1 and pause_reason is null returning ${changed}
         ), probe as (
           insert into webhook_health (listener_id, probe_at)
           select "listenerId", now() + make_interval(secs => $3) from paused
           on conflict (listener_id) do update set probe_at = excluded.probe_at
         )
         select * from paused`,
};

/** Pauses a listener whose receiver keeps failing. New events are still stored, and the receiver is probed from time to time. */
export async function pauseFailing(
  queries: Queries,
  listenerId: number,
  { probeIntervalMs }: DeliveryLimits,
): Promise<ChangedListener | undefined> {
  const [paused] = await queries.query<ChangedListener>(pauseSql, [
    listenerId,
    "failing",
    probeIntervalMs / 1_000,
  ]);
  return paused;
}

/** Pauses a listener whose receiver responded 410 Gone. There are no probes. */
export async function pauseGone(queries: Queries, listenerId: number): Promise<ChangedListener | undefined> {
  const [paused] = await queries.query<ChangedListener>(
    `update webhook_listener listener set pause_reason = 'gone', updated_at = now()
     where id = $1 and (pause_reason is null or pause_reason = 'failing') returning ${changed}`,
    [listenerId],
  );
  return paused;
}

/** Resumes a listener after a successful probe. Changes only listeners that were paused for failing. */
export async function resume(queries: Queries, listenerId: number): Promise<ChangedListener | undefined> {
  const [resumed] = await queries.query<ChangedListener>(
    `with healthy as (update webhook_health set is_failing = false where listener_id = $1)
     update webhook_listener listener set pause_reason = null, updated_at = now()
     where id = $1 and pause_reason = 'failing' returning ${changed}`,
    [listenerId],
  );
  return resumed;
}

export async function scheduleProbe(
  queries: Queries,
  listenerId: number,
  { probeIntervalMs }: DeliveryLimits,
): Promise<void> {
  await queries.query(
    "update webhook_health set probe_at = now() + make_interval(secs => $2) where listener_id = $1",
    [listenerId, probeIntervalMs / 1_000],
  );
}

/** Whether the receiver has failed for so long that operators should know. */
export function isFailingLong(
  { failingSince }: Health,
  { reportFailingMs }: DeliveryLimits,
  nowMs: number,
): boolean {
  return failingSince !== undefined && nowMs - failingSince.getTime() >= reportFailingMs;
}

/** Whether the receiver has failed for too long, or all of its first attempts have failed. */
export function shouldPause(
  { attempts, successes, failingSince }: Health,
  { maxFailingMs, maxInitialFailures }: DeliveryLimits,
  nowMs: number,
): boolean {
  if (failingSince === undefined) return false;
  return (
    nowMs - failingSince.getTime() >= maxFailingMs || (successes === 0 && attempts >= maxInitialFailures)
  );
}
