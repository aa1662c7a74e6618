/** Listeners that the platform pauses and resumes on its own. Functions that return a boolean report whether anything changed. */
import type { Queries } from "../../base/storage/database.ts";
import type { DeliveryLimits } from "./limits.ts";
import type { Health } from "./receiver-health.ts";

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
