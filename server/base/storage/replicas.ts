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
  /** Number of other replicas that sign with a key which this one does not have. */
  readonly ofOtherKey: () => number;
}

/** A replica that signs with a key which this one does not have: each rejects or cannot decrypt what the other signs. */
export interface OtherKey {
  readonly replica: string;
  readonly machine: string;
  /** Id of the key. */
  readonly key: string;
}

interface ReplicaOptions {
  readonly version: string;
  /** Ids of the signing keys of this replica. The first one signs. */
  readonly keyIds: readonly string[];
  /** Called once when there are other replicas. */
  readonly onOthers: (others: number) => void;
  /** Called when a replica with another key is noticed. */
  readonly onOtherKey: (other: OtherKey) => void;
}

/** Writes heartbeats to the database. Uses a row, not a connection, so that it works behind poolers too. Closing deletes the row. */
export function openReplica(
  queries: Queries,
  { version, keyIds, onOthers, onOtherKey }: ReplicaOptions,
): Replica {
  const id = randomUUID();
  const startedAt = performance.now();
  const closing = new AbortController();
  let hasReported = false;
  let known: ReadonlySet<string> = new Set();
  const running = repeatUntil(closing.signal, heartbeatMs, async () => {
    const others = await heartbeat(queries, { id, version, keyIds, ageMs: performance.now() - startedAt });
    if (others > 0 && !hasReported) {
      hasReported = true;
      onOthers(others);
    }
    const found = await queries.query<OtherKey>(otherKeysSql, [id, keyIds]);
    const nameOf = ({ replica, key }: OtherKey): string => `${replica} ${key}`;
    for (const other of found) if (!known.has(nameOf(other))) onOtherKey(other);
    known = new Set(found.map(nameOf));
  });
  return {
    id,
    ofOtherKey: () => known.size,
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
  readonly keyIds: readonly string[];
  /** Since the replica started. Its row may be new: others delete it during an outage. */
  readonly ageMs: number;
}

/**
 * Returns the number of other replicas. Ignores the row of a killed replica: it was last seen before this replica started, or is
 * deleted after half a minute.
 */
async function heartbeat(queries: Queries, { id, version, keyIds, ageMs }: Beat): Promise<number> {
  const values = [id, hostname(), process.pid, version, ageMs / 1_000, keyIds];
  const [row] = await queries.query<{ others: number }>(heartbeatSql, values);
  return row?.others ?? 0;
}

const heartbeatSql = {
  name: "replica beat",
  text: `
    with own as (
      insert into replica (id, machine, process, version, started_at, signing_keys)
      values ($1, $2, $3, $4, now() - make_interval(secs => $5), $6)
      on conflict (id) do update set seen_at = now()
      returning started_at
    ), gone as (
      delete from replica where not ${isReplicaAlive} and id <> $1
    )
    select count(*)::int as others from replica, own
    where id <> $1 and replica.seen_at > own.started_at and ${isReplicaAlive}`,
};

const otherKeysSql = {
  name: "replica signing keys",
  text: `
    select id as replica, machine, signing_keys[1] as key from replica
    where id <> $1 and ${isReplicaAlive} and signing_keys[1] <> all($2::text[])`,
};
