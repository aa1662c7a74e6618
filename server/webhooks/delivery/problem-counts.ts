/** What keeps notifications from being delivered, for the operator's metrics. Each query is cheap, because it runs at every scrape. */
import type { Queries } from "../../base/storage/database.ts";

/** The oldest held block of each network and delivery is the first entry of its index. */
const oldestHeldSql = {
  name: "webhook-oldest-held",
  text: `
select coalesce(extract(epoch from now() - min(oldest.due_at)), 0)::float8 as number
from webhook_network network
cross join (values ('safe'), ('finalized')) as demand (delivery)
cross join lateral (
  select due_at from webhook_notification
  where chain_id = network.chain_id and delivery = demand.delivery and state = 'held'
  order by block_number limit 1
) as oldest`,
};

/** Time since the oldest held notification was stored, in seconds: its block is not yet safe or final. 0 without held ones. */
export function oldestHeldSeconds(queries: Queries): Promise<number> {
  return numberOf(queries, oldestHeldSql);
}

/** Most failed notifications that are counted: the time for a count grows with their number. */
export const maxCounted = 100_000;

const failedSql = {
  name: "webhook-failed",
  text: `select count(*)::float8 as number from (select from webhook_notification where state = 'failed' limit ${maxCounted}) as failed`,
};

/** Notifications that are not sent again unless the operator replays them, up to `maxCounted`. */
export function countFailed(queries: Queries): Promise<number> {
  return numberOf(queries, failedSql);
}

/** Reads the index of paused listeners only, however many listeners there are. */
const pausedSql = {
  name: "webhook-paused",
  text: "select count(*)::float8 as number from webhook_listener where pause_reason in ('failing', 'gone')",
};

/** Listeners that the platform has paused, not their owners. */
export function countPaused(queries: Queries): Promise<number> {
  return numberOf(queries, pausedSql);
}

async function numberOf(
  queries: Queries,
  sql: { readonly name: string; readonly text: string },
): Promise<number> {
  const [row] = await queries.query<{ readonly number: number }>(sql);
  return row?.number ?? 0;
}
