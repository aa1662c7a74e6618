import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "../storage/database.ts";
import { listenerName } from "../storage/listen.ts";

/** How often it is looked for other replicas, in milliseconds: they come with a deployment, not with a call. */
const lookEveryMs = 60_000;

/** Warns once if other replicas share the database, each of which counts calls for itself. Ends with the signal. */
export async function warnOfReplicas(
  queries: Queries,
  warn: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const replicas = await countReplicas(queries).catch(() => 0);
    if (replicas > 1)
      return warn(
        `${replicas} replicas share the database and none of them counts for the others: rate limits are per replica; set REDIS_URL`,
      );
    await sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Each replica holds one connection that listens. */
async function countReplicas(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where application_name = $1 and datname = current_database()",
    [listenerName],
  );
  return row?.count ?? 0;
}
