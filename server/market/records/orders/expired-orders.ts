import { setTimeout as sleep } from "node:timers/promises";
import { inBackground } from "../../../base/repeat.ts";
import type { Queries, Statement } from "../../../base/storage/database.ts";

/** Pause between passes, in milliseconds. Until then readers skip expired entries within the price indexes, without fetching rows. */
const intervalMs = 10_000;

/** Rows per statement, which locks them for some milliseconds. */
const batchSize = 500;

/**
 * After a full batch the loop rests three times as long as the batch took. If many orders expire at the same moment, the database still
 * has time for readers.
 */
const restFactor = 3;

/**
 * Marks orders as `expired` in the background, and reports how many. Readers check `valid_until` themselves; marking only removes expired
 * orders from the indexes of open orders. Replicas share the work.
 */
export function startMarkingExpiredOrders(
  queries: Queries,
  { marked }: { readonly marked: (orders: number) => void },
): AsyncDisposable {
  return inBackground(async (signal) => {
    while (!signal.aborted) {
      const startedAt = performance.now();
      // Other code reports a database outage. The next pass retries.
      const orders = await markExpiredOrders(queries).catch(() => 0);
      if (orders > 0) marked(orders);
      const pauseMs = orders === batchSize ? restFactor * (performance.now() - startedAt) : intervalMs;
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  });
}

export async function markExpiredOrders(queries: Queries): Promise<number> {
  const rows = await queries.query(statement, [batchSize]);
  return rows.length;
}

/** Marks an order a minute after it has expired: if the clock is set back, a marked order must not become valid again. */
const statement: Statement = {
  text: `
    update market_order set status = 'expired'
    where id in (
      select id from market_order
      where status in ('active', 'inactive') and valid_until <= now() - interval '1 minute'
      order by valid_until limit $1
      for no key update skip locked
    )
    returning id`,
};
