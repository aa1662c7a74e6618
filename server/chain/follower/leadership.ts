/** One follower a chain over all replicas. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Database } from "../../base/storage/database.ts";

export interface Leadership extends AsyncDisposable {
  /** Aborted when it is lost. */
  readonly lost: AbortSignal;
}

/** First half of the lock's key, to keep apart from others'; the second is the chain id, cut to 32 bits. */
const lockSpace = 7_116_003;

/** Between two tries to take a chain over, and between two signs of life, in milliseconds. */
const tryMs = 500;
const beatMs = 1_000;
/** How long a sign of life may take. A connection that breaks tells so at once. */
const beatMaxMs = 2_000;
/** Behind a pooler: how long the holder may be silent. */
const leaseSeconds = 5;

/** Of the connection that holds the lock. */
const lockName = "platform: follower";

/** Waits until the chain is ours to follow; undefined if the signal came first. */
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
    await sleep(tryMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/** A lock of a session of our own: Postgres gives it away as soon as the connection ends, however this process does. */
async function tryLock({ connection }: Database, chainId: number): Promise<Leadership | undefined> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: beatMaxMs,
    query_timeout: beatMaxMs,
    application_name: lockName,
  });
  const lost = new AbortController();
  client.on("error", () => lost.abort());
  client.once("end", () => lost.abort());
  try {
    await client.connect();
    // A machine that vanished is noticed after some seconds, too.
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

/** Behind a pooler, which lends sessions out by the transaction: a row that is renewed. */
async function tryLease(database: Database, chainId: number): Promise<Leadership | undefined> {
  const [row] = await database.query<{ epoch: string }>(leaseSql, [chainId, leaseSeconds]);
  if (row === undefined) return undefined;
  // Whoever leads takes the next epoch when it starts to work.
  const held = [Number(row.epoch), Number(row.epoch) + 1];
  const renew = async (): Promise<void> => {
    for (const epoch of held)
      if ((await database.query(renewSql, [chainId, leaseSeconds, epoch])).length > 0) return;
    throw new Error("the lease is somebody else's");
  };
  const giveBack = async (): Promise<void> => {
    for (const epoch of held) await database.query(renewSql, [chainId, 0, epoch]);
  };
  return keepAlive(new AbortController(), renew, giveBack);
}

function keepAlive(lost: AbortController, beat: () => Promise<void>, end: () => Promise<void>): Leadership {
  const closing = new AbortController();
  const either = AbortSignal.any([lost.signal, closing.signal]);
  const beating = (async () => {
    while (!either.aborted) {
      await sleep(beatMs, undefined, { signal: either, ref: false }).catch(() => {});
      if (!either.aborted) await beat().catch(() => lost.abort());
    }
  })();
  return {
    lost: lost.signal,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await beating;
      await end().catch(() => {});
    },
  };
}
