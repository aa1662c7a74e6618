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

/** A replica that signs with a key which this one does not have: each rejects or cannot decrypt what the other signs. */
export interface OtherKey {
  readonly replica: string;
  readonly machine: string;
  /** Id of the key. */
  readonly key: string;
}

interface KeyWatchOptions {
  readonly replicaId: string;
  /** Ids of the signing keys of this replica. The first one signs. */
  readonly keyIds: readonly string[];
  /** Called when a replica with another key appears, and again when its heartbeats were missing for half a minute. */
  readonly onOther: (other: OtherKey) => void;
}

export interface KeyWatch extends AsyncDisposable {
  /** Number of other replicas whose key this one does not have. */
  readonly others: () => number;
}

/** Stores the signing keys of this replica in its row, and compares them with those of the others. */
export function watchSigningKeys(
  queries: Queries,
  { replicaId, keyIds, onOther }: KeyWatchOptions,
): KeyWatch {
  const closing = new AbortController();
  let known = new Set<string>();
  const running = repeatUntil(closing.signal, heartbeatMs, async () => {
    const others = await queries.query<OtherKey>(otherKeysSql, [replicaId, keyIds]);
    const found = new Map(others.map((other) => [`${other.replica} ${other.key}`, other]));
    for (const [id, other] of found) if (!known.has(id)) onOther(other);
    known = new Set(found.keys());
  });
  return {
    others: () => known.size,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
    },
  };
}

const otherKeysSql = {
  name: "replica signing keys",
  text: `
    with own as (
      update replica set signing_keys = $2::text[] where id = $1 and signing_keys <> $2::text[]
    )
    select id as replica, machine, signing_keys[1] as key from replica
    where id <> $1 and ${isReplicaAlive} and signing_keys[1] <> all($2::text[])`,
};
