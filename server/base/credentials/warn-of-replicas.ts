import { randomUUID } from "node:crypto";
import { repeatUntil } from "../repeat.ts";
import type { Queries } from "../storage/database.ts";

/** Interval of heartbeats, in milliseconds. Other replicas are noticed within twice this time. */
const heartbeatMs = 10_000;

/**
 * Writes a heartbeat to the database, and warns once if there are other replicas, because each would count calls separately. Uses
 * a row, not a connection, so that it works behind poolers too. Closing deletes the row.
 */
export function watchReplicas(queries: Queries, warn: (line: string) => void): AsyncDisposable {
  const id = randomUUID();
  const closing = new AbortController();
  let hasWarned = false;
  const running = repeatUntil(closing.signal, heartbeatMs, async () => {
    const others = await heartbeat(queries, id);
    if (others === 0 || hasWarned) return;
    hasWarned = true;
    warn(
      `${others + 1} replicas share the database, but each counts its own calls, so rate limits are per replica; set REDIS_URL to share them`,
    );
  });
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
      await queries.query("delete from replica where id = $1", [id]).catch(() => {});
    },
  };
}

/**
 * Returns the number of other replicas. Ignores the row of a killed replica: it was last seen before this replica started, or is
 * deleted after half a minute.
 */
async function heartbeat(queries: Queries, id: string): Promise<number> {
  const [row] = await queries.query<{ others: number }>(heartbeatSql, [id]);
  return row?.others ?? 0;
}

const heartbeatSql = {
  name: "replica beat",
  text: `
    with own as (
      insert into replica (id) values ($1)
      on conflict (id) do update set seen_at = now()
      returning started_at
    ), gone as (
      delete from replica where seen_at < now() - interval '30 seconds' and id <> $1
    )
    select count(*)::int as others from replica, own
    where id <> $1 and replica.seen_at > own.started_at and replica.seen_at >= now() - interval '30 seconds'`,
};
