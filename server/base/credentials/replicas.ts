import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "../storage/database.ts";

/** How often a replica says that it is there, in milliseconds. Others are noticed within twice of it. */
const beatEveryMs = 10_000;

/**
 * Says in the database that this replica is there, and warns once if others are, each of which counts calls for itself. A row
 * and not a connection tells it, so that it works behind poolers too. Closing takes the row away.
 */
export function watchReplicas(queries: Queries, warn: (line: string) => void): AsyncDisposable {
  const id = randomUUID();
  const closing = new AbortController();
  const { signal } = closing;
  const running = run();

  async function run(): Promise<void> {
    let isTold = false;
    while (!signal.aborted) {
      // While the database is away others are as alone as this one.
      const others = await beat(queries, id).catch(() => 0);
      if (others > 0 && !isTold) {
        isTold = true;
        warn(
          `${others + 1} replicas share the database and none of them counts for the others: rate limits are per replica; set REDIS_URL`,
        );
      }
      await sleep(beatEveryMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
      await queries.query("delete from replica where id = $1", [id]).catch(() => {});
    },
  };
}

/**
 * Answers how many others there are. What a killed replica left was last seen before this one started, if it is the same one that
 * was started again, or else is forgotten within half a minute.
 */
async function beat(queries: Queries, id: string): Promise<number> {
  const [row] = await queries.query<{ others: number }>(beatSql, [id]);
  return row?.others ?? 0;
}

const beatSql = {
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
