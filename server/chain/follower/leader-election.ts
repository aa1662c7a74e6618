/** Leader election: one follower per chain across all replicas. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Database } from "../../base/storage/database.ts";

export interface Leadership extends AsyncDisposable {
  readonly lost: AbortSignal;
}

/** First half of the advisory lock's key, reserved for followers. The second half is the chain id, truncated to 32 bits. */
const lockSpace = 7_116_003;

/** Interval between attempts to become the leader, and between heartbeats, in milliseconds. */
const retryMs = 500;
const heartbeatMs = 1_000;
/** Time-out of a heartbeat, in milliseconds. A broken connection is noticed immediately. */
const heartbeatTimeoutMs = 2_000;
/** Behind a pooler: duration of a lease. */
const leaseSeconds = 5;

/** Name of the connection that holds the lock, as Postgres shows it. */
const connectionName = "platform: follower";

/** Waits until this replica becomes the leader. Returns undefined if the signal aborts first. */
export async function acquireLeadership(
  database: Database,
  chainId: number,
  { hasSessions, signal }: { readonly hasSessions: boolean; readonly signal: AbortSignal },
): Promise<Leadership | undefined> {
  while (!signal.aborted) {
    const lead = await (hasSessions ? tryLock(database, chainId) : tryLease(database, chainId)).catch(
      () => undefined,
    );
    if (lead !== undefined) return lead;
    await sleep(retryMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/** Takes an advisory lock in a dedicated session. Postgres releases it as soon as the connection ends, however this process ends. */
async function tryLock({ connection }: Database, chainId: number): Promise<Leadership | undefined> {
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
    const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock($1, $2) as held", [
      lockSpace,
      chainId | 0,
    ]);
    if (rows[0]?.held !== true) {
      void client.end().catch(() => {});
      return undefined;
    }
  } catch (err) {
    void client.end().catch(() => {});
    throw err;
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
async function tryLease(database: Database, chainId: number): Promise<Leadership | undefined> {
  const [row] = await database.query<{ epoch: string }>(leaseSql, [chainId, leaseSeconds]);
  if (row === undefined) return undefined;
  // The leader's follower takes the next epoch when it starts, so the lease may have either of these.
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
): Leadership {
  const closing = new AbortController();
  const either = AbortSignal.any([lost.signal, closing.signal]);
  const heartbeats = (async () => {
    while (!either.aborted) {
      await sleep(heartbeatMs, undefined, { signal: either, ref: false }).catch(() => {});
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
