import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Config, sharedSettings } from "../config/config.ts";
import { repeatUntil } from "../repeat.ts";
import type { Queries } from "./database.ts";

/** Interval of heartbeats, in milliseconds. Other replicas are noticed within twice this time. */
const heartbeatMs = 10_000;

/** SQL: whether the row of a replica is not that of a killed one. */
export const isReplicaAlive = "replica.seen_at >= now() - interval '30 seconds'";

export interface Replica extends AsyncDisposable {
  readonly id: string;
  /** Number of other replicas that differ from this one. */
  readonly differing: () => number;
  /** How far the clock of this machine is ahead of the database's, in seconds; NaN before the first heartbeat. */
  readonly clockAhead: () => number;
}

/** Larger differences of the clocks are reported, in seconds. */
const clockAheadMax = 10;

/** A replica that signs with a key which this one does not have, or has other settings. */
export interface DifferingReplica {
  readonly replica: string;
  readonly machine: string;
  /** Names of the settings. */
  readonly settings: readonly string[];
}

export type SharedSettings = Pick<Config, (typeof sharedSettings)[number]>;

interface ReplicaOptions {
  readonly version: string;
  /** Ids of the signing keys of this replica. The first one signs. */
  readonly keyIds: readonly string[];
  readonly settings: SharedSettings;
  /** Called once when there are other replicas. */
  readonly onOthers: (others: number) => void;
  /** Called when a replica that differs is noticed. */
  readonly onDiffering: (other: DifferingReplica) => void;
  /** Called when the clocks of this machine and the database begin to differ by more than ten seconds, and when they agree again. */
  readonly onClock: (seconds: number, isWrong: boolean) => void;
}

/** Writes heartbeats to the database. Uses a row, not a connection, so that it works behind poolers too. Closing deletes the row. */
export function openReplica(
  queries: Queries,
  { version, keyIds, settings, onOthers, onDiffering, onClock }: ReplicaOptions,
): Replica {
  const id = randomUUID();
  const startedAt = performance.now();
  const closing = new AbortController();
  let hasReported = false;
  let clockAhead = Number.NaN;
  let isClockWrong = false;
  let known: ReadonlySet<string> = new Set();
  const shared = JSON.stringify(
    Object.fromEntries(sharedSettings.map((name) => [name, sorted(settings[name])])),
  );
  const running = repeatUntil(closing.signal, heartbeatMs, async () => {
    const ageMs = performance.now() - startedAt;
    const sentAt = Date.now();
    const { others, now } = await heartbeat(queries, { id, version, keyIds, shared, ageMs });
    clockAhead = aheadOf(now, sentAt, Date.now());
    const isWrong = Math.abs(clockAhead) > clockAheadMax;
    if (isWrong !== isClockWrong) onClock(Math.round(clockAhead), isWrong);
    isClockWrong = isWrong;
    if (others > 0 && !hasReported) {
      hasReported = true;
      onOthers(others);
    }
    const found = await queries.query<DifferingReplica>(differingSql, [id, keyIds, shared]);
    for (const other of found) if (!known.has(other.replica)) onDiffering(other);
    known = new Set(found.map(({ replica }) => replica));
  });
  return {
    id,
    differing: () => known.size,
    clockAhead: () => clockAhead,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
      await queries.query("delete from replica where id = $1", [id]).catch(() => {});
    },
  };
}

/**
 * Returns by how many seconds at least a clock is ahead of the database's, or behind if negative. The database read the time `now`
 * between the other two, which are of the clock. All three are in milliseconds.
 */
export function aheadOf(now: number, sentAt: number, receivedAt: number): number {
  return (Math.max(0, sentAt - now) + Math.min(0, receivedAt - now)) / 1_000;
}

/** The order of a list has no meaning. */
function sorted(value: number | readonly string[]): number | readonly string[] {
  return typeof value === "number" ? value : [...value].sort();
}

interface Beat {
  readonly id: string;
  readonly version: string;
  readonly keyIds: readonly string[];
  /** JSON of the shared settings. */
  readonly shared: string;
  /** Since the replica started. Its row may be new: others delete it during an outage. */
  readonly ageMs: number;
}

/** `now` is the time of the database, in milliseconds. */
interface BeatResult {
  readonly others: number;
  readonly now: number;
}

/**
 * Returns the number of other replicas. Ignores the row of a killed replica: it was last seen before this replica started, or is
 * deleted after half a minute.
 */
async function heartbeat(
  queries: Queries,
  { id, version, keyIds, shared, ageMs }: Beat,
): Promise<BeatResult> {
  const values = [id, hostname(), process.pid, version, ageMs / 1_000, keyIds, shared];
  const [row] = await queries.query<BeatResult>(heartbeatSql, values);
  return row ?? { others: 0, now: Date.now() };
}

const heartbeatSql = {
  name: "replica beat",
  text: `
    with own as (
      insert into replica (id, machine, process, version, started_at, signing_keys, settings)
      values ($1, $2, $3, $4, now() - make_interval(secs => $5), $6, $7)
      on conflict (id) do update set seen_at = now()
      returning started_at
    ), gone as (
      delete from replica where not ${isReplicaAlive} and id <> $1
    )
    select count(*)::int as others, floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now from replica, own
    where id <> $1 and replica.seen_at > own.started_at and ${isReplicaAlive}`,
};

/** Settings that a replica of another version does not have are ignored. */
const differingSql = {
  name: "replicas that differ",
  text: `
    select id as replica, machine, differing.settings
    from replica cross join lateral (
      select array_agg(name order by name) as settings from (
        select 'signingKey' as name where signing_keys[1] <> all($2::text[])
        union all
        select key from jsonb_each(replica.settings) where $3::jsonb -> key <> value
      ) as one
    ) as differing
    where id <> $1 and ${isReplicaAlive} and differing.settings is not null`,
};
