import { setTimeout as sleep } from "node:timers/promises";
import type { Queries, Statement } from "../../storage/database.ts";

/** Between two looks, in milliseconds: a walk along an index passes over no more of them than expire in this time. */
const everyMs = 10_000;

/** Marked at once: the rows are locked for some milliseconds, and others get their turn in between. */
const batch = 500;
const pauseMs = 50;

/**
 * Notes orders whose time is up as `expired`. Readers see that of themselves, and need no note; it takes such orders out of the indexes
 * of open ones. Replicas share the work.
 */
export function keepExpiredOrdersMarked(queries: Queries): AsyncDisposable {
  const ended = new AbortController();
  const { signal } = ended;
  const pause = (ms: number): Promise<unknown> =>
    sleep(ms, undefined, { signal, ref: false }).catch(() => {});

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // A database that is away is told of elsewhere, and asked again at the next look.
      const marked = await markExpiredOrders(queries).catch(() => 0);
      await pause(marked === batch ? pauseMs : everyMs);
    }
  }

  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      ended.abort();
      await running;
    },
  };
}

/** Marks some of them, those that expired first, and answers how many. */
export async function markExpiredOrders(queries: Queries): Promise<number> {
  const rows = await queries.query(statement, [batch]);
  return rows.length;
}

/** A minute late, so that a clock that is set back brings none of them to life. */
const statement: Statement = {
  text: `
    update market_order set status = 'expired'
    where id in (
      select id from market_order
      where status in ('active', 'inactive') and deleted_at is null and valid_until <= now() - interval '1 minute'
      order by valid_until limit $1
      for no key update skip locked
    )
    returning id`,
};
