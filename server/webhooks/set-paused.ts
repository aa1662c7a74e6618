import type { Queries } from "../base/storage/database.ts";

/** Pauses a listener as its owner would, or resumes it, whatever the reason of its pause. Returns false if it does not exist. */
export async function setPaused(queries: Queries, listenerId: number, isPaused: boolean): Promise<boolean> {
  const changed = await queries.query(
    "update webhook_listener set pause_reason = $2, updated_at = now() where id = $1 returning 1",
    [listenerId, isPaused ? "owner" : null],
  );
  if (!isPaused) await queries.query("delete from webhook_health where listener_id = $1", [listenerId]);
  return changed.length > 0;
}
