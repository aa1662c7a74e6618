import { setTimeout as sleep } from "node:timers/promises";
import type { Queries, Statement } from "../../../base/storage/database.ts";

/** Between two looks, in milliseconds. Whoever walks along an index of prices passes by what has expired since, without fetching it. */
const everyMs = 10_000;

/** Marked at once: the rows are locked for some milliseconds. */
const batch = 500;

/** Whoever marks rests three times as long as that took, so that a market that ends in one moment leaves the database to its readers. */
const restShare = 3;

/**
 * Notes orders whose time is up as `expired`, and tells how many. Readers see that of themselves, and need no note; it takes such orders
 * out of the indexes of open ones. Replicas share the work.
 */
export function keepExpiredOrdersMarked(
  queries: Queries,
  { marked }: { readonly marked: (orders: number) => void },
): AsyncDisposable {
  const ended = new AbortController();
  const { signal } = ended;
  const pause = (ms: number): Promise<unknown> =>
    sleep(ms, undefined, { signal, ref: false }).catch(() => {});

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const startedAt = performance.now();
      // A database that is away is told of elsewhere, and asked again at the next look.
      const orders = await markExpiredOrders(queries).catch(() => 0);
      if (orders > 0) marked(orders);
      await pause(orders === batch ? restShare * (performance.now() - startedAt) : everyMs);
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
