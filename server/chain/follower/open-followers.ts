/** The followers of one host: one for each network with the setting `follow`. */
import pg from "pg";
import { pause } from "../../base/repeat.ts";
import type { Database } from "../../base/storage/database.ts";
import { toDatabaseFault } from "../../base/storage/fault.ts";
import type { FollowSettings } from "../networks/follow.ts";
import type { Network } from "../networks/network.ts";
import { MeteredNodes } from "../rpc/nodes/metered-nodes.ts";
import type { ChainTask, FollowedChain } from "./chain-task.ts";
import { createCheckpoint, readCheckpoint } from "./checkpoint.ts";
import type { Deriver } from "./derive/deriver.ts";
import { Follower } from "./follower.ts";
import type { FollowerEvents } from "./follower-state.ts";
import { HeadStream } from "./head-stream.ts";
import { watchHeads } from "./heads.ts";
import { Health, reportHealth } from "./health.ts";
import type { Header } from "./source.ts";
import type { OpenSource } from "./viem/open-source.ts";

interface FollowersDependencies {
  readonly database: Database;
  /** False behind a pooler in transaction mode, which has no sessions. */
  readonly hasSessions: boolean;
  /** Stored as the follower of the chains that this replica follows. */
  readonly replicaId?: string;
  readonly networks: readonly Network[];
  /** In the order in which they are called. */
  readonly derivers: readonly Deriver[];
  readonly events: FollowerEvents;
  readonly meteredNodes?: MeteredNodes;
  readonly tasks?: readonly ChainTask[];
}

export interface Followers extends AsyncDisposable {
  /** Chain ids. */
  readonly followed: readonly number[];
  /** For each chain that this replica follows, or cannot begin to follow, by name: whether each of its nodes is healthy, that is, not demoted. */
  readonly nodes: () => ReadonlyMap<string, readonly boolean[]>;
}

export function openFollowers(dependencies: FollowersDependencies): Followers {
  const closing = new AbortController();
  const sources = new Map<string, OpenSource>();
  const followed = dependencies.networks.filter(
    ({ follow, nodes }) => follow !== undefined && nodes.length > 0,
  );
  const running = followed.map((network) =>
    network.follow === undefined
      ? undefined
      : runFollower(dependencies, network, network.follow, sources, closing.signal),
  );
  return {
    followed: followed.map(({ chainId }) => chainId),
    nodes: () => new Map([...sources].map(([name, source]) => [name, source.healthy()])),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(running);
    },
  };
}

/** Waits for the lock of the chain, follows, and waits again after losing the lock, until the signal aborts. */
async function runFollower(
  {
    database,
    hasSessions,
    replicaId,
    derivers,
    events,
    meteredNodes = new MeteredNodes(),
    tasks = [],
  }: FollowersDependencies,
  network: Network,
  follow: FollowSettings,
  sources: Map<string, OpenSource>,
  signal: AbortSignal,
): Promise<void> {
  const { chainId, name } = network;
  const health = new Health();
  const reports = reportHealth(database, chainId, health, signal);
  while (!signal.aborted) {
    let opened: OpenSource | undefined;
    try {
      const { openSource } = await import("./viem/open-source.ts");
      const { subscribe } = await import("./viem/new-heads.ts");
      const source = await openSource(network, {
        meteredNodes,
        signal,
        onDemoted: (node, reason) => events.nodeDemoted(name, node, reason, network.nodes.length === 1),
      });
      opened = source;
      await ensureCheckpoint(database, chainId, follow, source);
      sources.delete(name);
      health.reset();
      const onFailure = (err: unknown): void => events.failed(name, err);
      await using lock = await acquireLock(database, chainId, { hasSessions, signal, onFailure });
      if (lock === undefined) break;
      sources.set(name, source);
      await using heads = new HeadStream(source, follow, subscribe);
      const ended = new AbortController();
      const headSeen = ({ number, timestamp }: Header): void => {
        health.head = number;
        events.headSeen(name, number, timestamp);
      };
      let isStarted = false;
      const followStarted: FollowerEvents["followStarted"] = (chain, block) => {
        isStarted = true;
        events.followStarted(chain, block);
        void watchHeads(source, headSeen, ended.signal);
      };
      const follower = new Follower({
        network,
        follow,
        database,
        replicaId,
        derivers,
        source,
        heads,
        events: { ...events, followStarted },
        health,
      });
      const followed: FollowedChain = {
        network,
        follow,
        meteredNodes,
        signal: AbortSignal.any([signal, lock.lost, ended.signal]),
      };
      const running = tasks.map((task) => task(followed));
      health.follows = true;
      try {
        await follower.run(AbortSignal.any([signal, lock.lost]));
      } finally {
        health.follows = false;
        ended.abort();
        await Promise.all(running);
        sources.delete(name);
        if (isStarted && !signal.aborted) events.followEnded(name);
      }
    } catch (err) {
      if (opened !== undefined) sources.set(name, opened);
      health.failed(err);
      events.failed(name, err);
      await pause(1_000, signal);
    }
  }
  await reports;
}

async function ensureCheckpoint(
  database: Database,
  chainId: number,
  { start }: FollowSettings,
  source: OpenSource,
): Promise<void> {
  if ((await readCheckpoint(database, chainId)) !== undefined) return;
  await createCheckpoint(database, chainId, start === "latest" ? (await source.latest()).number + 1 : start);
}

/* The lock of a chain, by which one replica follows it. */

interface FollowLock extends AsyncDisposable {
  readonly lost: AbortSignal;
}

/** First half of the advisory lock's key, reserved for followers. The second half is the chain id, truncated to 32 bits. */
const lockSpace = 7_116_003;

/** Interval between attempts to take the lock, and between heartbeats, in milliseconds. */
const retryMs = 500;
const heartbeatMs = 1_000;
/** Timeout of a heartbeat, in milliseconds. A broken connection is noticed immediately. */
const heartbeatTimeoutMs = 2_000;
/** Behind a pooler: duration of a lease. */
const leaseSeconds = 5;

/** Name of the connection that holds the lock, as Postgres shows it. */
const connectionName = "platform: follower";

/** Waits until this replica has the lock. Returns undefined if the signal aborts first. */
async function acquireLock(
  database: Database,
  chainId: number,
  {
    hasSessions,
    signal,
    onFailure,
  }: {
    readonly hasSessions: boolean;
    readonly signal: AbortSignal;
    readonly onFailure: (err: unknown) => void;
  },
): Promise<FollowLock | undefined> {
  while (!signal.aborted) {
    const lock = await (hasSessions
      ? waitInSession(database, chainId, signal)
      : tryLease(database, chainId)
    ).catch(onFailure);
    if (lock !== undefined) return lock;
    await pause(retryMs, signal);
  }
  return undefined;
}

/**
 * Waits for an advisory lock in a dedicated session, which stays open meanwhile. Postgres releases the lock as soon as the connection
 * ends, however this process ends. A statement that waits would keep its snapshot, which stops vacuuming, so this one tries again.
 */
async function waitInSession(
  { connection }: Database,
  chainId: number,
  signal: AbortSignal,
): Promise<FollowLock | undefined> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: heartbeatTimeoutMs,
    query_timeout: heartbeatTimeoutMs,
    application_name: connectionName,
  });
  const lost = new AbortController();
  client.on("error", () => lost.abort());
  client.once("end", () => lost.abort());
  try {
    await client.connect();
    // Postgres notices within seconds if this machine disappears.
    await client.query(
      "set tcp_keepalives_idle = 3; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3",
    );
    for (;;) {
      const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock($1, $2) as held", [
        lockSpace,
        chainId | 0,
      ]);
      if (rows[0]?.held === true) break;
      await pause(retryMs, signal);
      if (signal.aborted) {
        void client.end().catch(() => {});
        return undefined;
      }
    }
  } catch (err) {
    void client.end().catch(() => {});
    throw toDatabaseFault(err);
  }
  return keepAlive(
    lost,
    async () => void (await client.query("select 1")),
    () => client.end(),
  );
}

const leaseSql = `
update follower_cursor set leased_until = now() + make_interval(secs => $2), epoch = epoch + 1
where chain_id = $1 and (leased_until is null or leased_until < now()) returning epoch`;

const renewSql = `
update follower_cursor set leased_until = now() + make_interval(secs => $2)
where chain_id = $1 and epoch = $3 returning 1`;

/** For use behind a pooler in transaction mode, which has no sessions: a lease in a row, which heartbeats renew. */
async function tryLease(database: Database, chainId: number): Promise<FollowLock | undefined> {
  const [row] = await database.query<{ epoch: string }>(leaseSql, [chainId, leaseSeconds]);
  if (row === undefined) return undefined;
  // The follower takes the next epoch when it starts, so the lease may have either of these.
  const ownEpochs = [Number(row.epoch), Number(row.epoch) + 1];
  const renew = async (): Promise<void> => {
    for (const epoch of ownEpochs)
      if ((await database.query(renewSql, [chainId, leaseSeconds, epoch])).length > 0) return;
    throw new Error("another process holds the lease");
  };
  const release = async (): Promise<void> => {
    for (const epoch of ownEpochs) await database.query(renewSql, [chainId, 0, epoch]);
  };
  return keepAlive(new AbortController(), renew, release);
}

function keepAlive(
  lost: AbortController,
  heartbeat: () => Promise<void>,
  end: () => Promise<void>,
): FollowLock {
  const closing = new AbortController();
  const either = AbortSignal.any([lost.signal, closing.signal]);
  const heartbeats = (async () => {
    while (!either.aborted) {
      await pause(heartbeatMs, either);
      if (!either.aborted) await heartbeat().catch(() => lost.abort());
    }
  })();
  return {
    lost: lost.signal,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await heartbeats;
      await end().catch(() => {});
    },
  };
}
