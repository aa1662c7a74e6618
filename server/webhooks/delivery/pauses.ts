import type { Queries } from "../../base/storage/database.ts";
import type { DeliveryLimits } from "./limits.ts";
import type { Health } from "./queue.ts";

/** Listeners that the platform itself pauses, and those that go on. Each answers whether that changed anything. */

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

/** Its receiver only fails: what comes is kept, and it is tried from time to time. */
export async function pauseFailing(
  queries: Queries,
  listenerId: number,
  { probeEveryMs }: DeliveryLimits,
): Promise<boolean> {
  return (await queries.query(pauseSql, [listenerId, "failing", probeEveryMs / 1_000])).length > 0;
}

/** Its receiver answered 410: it is not tried again. */
export async function pauseGone(queries: Queries, listenerId: number): Promise<boolean> {
  const paused = await queries.query(
    "update webhook_listener set pause_reason = 'gone', updated_at = now() where id = $1 and (pause_reason is null or pause_reason = 'failing') returning 1",
    [listenerId],
  );
  return paused.length > 0;
}

/** A probe succeeded. */
export async function resume(queries: Queries, listenerId: number): Promise<boolean> {
  const resumed = await queries.query(
    "update webhook_listener set pause_reason = null, updated_at = now() where id = $1 and pause_reason = 'failing' returning 1",
    [listenerId],
  );
  return resumed.length > 0;
}

/** A probe is on its way: the next one is due an interval later. */
export async function probeLater(
  queries: Queries,
  listenerId: number,
  { probeEveryMs }: DeliveryLimits,
): Promise<void> {
  await queries.query(
    "update webhook_health set probe_at = now() + make_interval(secs => $2) where listener_id = $1",
    [listenerId, probeEveryMs / 1_000],
  );
}

/** Only failures for too long, or from the very first on. */
export function isHopeless(
  { attempts, successes, failingSince }: Health,
  { failingMaxMs, firstAttempts }: DeliveryLimits,
  nowMs: number,
): boolean {
  if (failingSince === undefined) return false;
  return nowMs - failingSince.getTime() >= failingMaxMs || (successes === 0 && attempts >= firstAttempts);
}
