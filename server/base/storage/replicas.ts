import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { repeatUntil } from "../repeat.ts";
import type { Queries } from "./database.ts";

/** Interval of heartbeats, in milliseconds. Other replicas are noticed within twice this time. */
const heartbeatMs = 10_000;

/** SQL: whether the row of a replica is not that of a killed one. */
export const isReplicaAlive = "replica.seen_at >= now() - interval '30 seconds'";

export interface Replica extends AsyncDisposable {
  readonly id: string;
}

interface ReplicaOptions {
  readonly version: string;
  /** Called once when there are other replicas. */
  readonly onOthers: (others: number) => void;
}

/** Writes heartbeats to the database. Uses a row, not a connection, so that it works behind poolers too. Closing deletes the row. */
export function openReplica(queries: Queries, { version, onOthers }: ReplicaOptions): Replica {
  const id = randomUUID();
  const startedAt = performance.now();
  const closing = new AbortController();
  let hasReported = false;
  const running = repeatUntil(closing.signal, heartbeatMs, async () => {
    const others = await heartbeat(queries, { id, version, ageMs: performance.now() - startedAt });
    if (others === 0 || hasReported) return;
    hasReported = true;
    onOthers(others);
  });
  return {
    id,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
      await queries.query("delete from replica where id = $1", [id]).catch(() => {});
    },
  };
}

interface Beat {
  readonly id: string;
  readonly version: string;
  /** Since the replica started. Its row may be new: others delete it during an outage. */
  readonly ageMs: number;
}

/**
 * Returns the number of other replicas. Ignores the row of a killed replica: it was last seen before this replica started, or is
 * deleted after half a minute.
 */
async function heartbeat(queries: Queries, { id, version, ageMs }: Beat): Promise<number> {
  const values = [id, hostname(), process.pid, version, ageMs / 1_000];
  const [row] = await queries.query<{ others: number }>(heartbeatSql, values);
  return row?.others ?? 0;
}

const heartbeatSql = {
  name: "replica beat",
  text: `
    with own as (
      insert into replica (id, machine, process, version, started_at)
      values ($1, $2, $3, $4, now() - make_interval(secs => $5))
      on conflict (id) do update set seen_at = now()
      returning started_at
    ), gone as (
      delete from replica where not ${isReplicaAlive} and id <> $1
    )
    select count(*)::int as others from replica, own
    where id <> $1 and replica.seen_at > own.started_at and ${isReplicaAlive}`,
};
