/** Which attempts count for and against a receiver. A receiver that fails for too long is paused; one that responds 410 at once. */
import type { Queries, Transaction } from "../../base/storage/database.ts";
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
returning listener_id, attempts, successes, failing_since`,
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
}

interface HealthRow {
  readonly listener_id: string;
  readonly attempts: string;
  readonly successes: string;
  readonly failing_since: Date | null;
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
  }));
}

function healthOf(batch: readonly Attempt[]): readonly Health[] {
  const byListener = new Map<number, Health>();
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

/* Listeners that the platform pauses and resumes on its own. Functions that return a boolean report whether anything changed. */

const pauseSql = {
  name: "webhook-pause",
  text: `with paused as (
           update webhook_listener set pause_reason = $2, updated_at = now()
           where id = $1 and pause_reason is null returning id
         )
         insert into webhook_health (listener_id, probe_at)
         select id, now() + make_interval(secs => $3) from paused
         on conflict (listener_id) do update set probe_at = excluded.probe_at
         returning 1`,
};

/** Pauses a listener whose receiver keeps failing. New events are still stored, and the receiver is probed from time to time. */
export async function pauseFailing(
  queries: Queries,
  listenerId: number,
  { probeIntervalMs }: DeliveryLimits,
): Promise<boolean> {
  return (await queries.query(pauseSql, [listenerId, "failing", probeIntervalMs / 1_000])).length > 0;
}

/** Pauses a listener whose receiver responded 410 Gone. There are no probes. */
export async function pauseGone(queries: Queries, listenerId: number): Promise<boolean> {
  const paused = await queries.query(
    "update webhook_listener set pause_reason = 'gone', updated_at = now() where id = $1 and (pause_reason is null or pause_reason = 'failing') returning 1",
    [listenerId],
  );
  return paused.length > 0;
}

/** Resumes a listener after a successful probe. Changes only listeners that were paused for failing. */
export async function resume(queries: Queries, listenerId: number): Promise<boolean> {
  const resumed = await queries.query(
    "update webhook_listener set pause_reason = null, updated_at = now() where id = $1 and pause_reason = 'failing' returning 1",
    [listenerId],
  );
  return resumed.length > 0;
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
