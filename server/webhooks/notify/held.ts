/** Notifications that wait until their block is safe, final or confirmed by enough blocks. */
import type { Queries } from "../../base/storage/database.ts";
import type { ChainTransaction, Finality } from "../../chain/follower/derive/deriver.ts";
import type { Timing } from "../listener.ts";
import { type Hold, isConfirmed } from "../notifications.ts";

const awaitsFinalitySql = {
  name: "webhook-awaits-finality",
  text: `select exists (
           select from webhook_notification where chain_id = $1 and state = 'held' and delivery in ('safe', 'finalized')
         ) as is_awaiting`,
};

export async function awaitsFinality(queries: Queries, chainId: number): Promise<boolean> {
  const [row] = await queries.query<{ readonly is_awaiting: boolean }>(awaitsFinalitySql, [chainId]);
  return row?.is_awaiting === true;
}

/** Most notifications that one transaction releases because of finality. The next ones follow a second later. */
const maxReleased = 50_000;

/** Notifications of deleted listeners become waiting, too: maintenance drops those. */
const releaseSql = {
  name: "webhook-release",
  text: `
with released as (
  update webhook_notification set state = 'waiting', due_at = now()
  where chain_id = $1 and sequence in (
    select sequence from webhook_notification
    where chain_id = $1 and state = 'held' and delivery = 'safe' and block_number <= $2
    union all
    select sequence from webhook_notification
    where chain_id = $1 and state = 'held' and delivery = 'finalized' and block_number <= $3
    order by sequence limit ${maxReleased}
  )
  returning listener_id
)
select distinct host as destination from released join webhook_listener listener on listener.id = listener_id`,
};

/** Releases the notifications of blocks that are safe or final. Returns the destinations to which they are due. */
export async function release(
  { query, chainId }: ChainTransaction,
  { safe, finalized }: Finality,
): Promise<ReadonlySet<string>> {
  const rows = await query<{ readonly destination: string }>(releaseSql, [chainId, safe, finalized]);
  return new Set(rows.map(({ destination }) => destination));
}

/** The lowest block at a time, whose notifications were stored by one statement, too: after an outage, many blocks may be due. */
const releaseConfirmedSql = {
  name: "webhook-release-confirmed",
  text: `
with released as (
  update webhook_notification set state = 'waiting', due_at = now()
  where chain_id = $1 and state = 'held' and delivery = 'head'
    and block_number = (select min(block_number) from webhook_notification where ${isConfirmed("$2")})
  returning listener_id
)
select count(*)::int as count, coalesce(array_agg(distinct host) filter (where host is not null), '{}') as destinations
from released left join webhook_listener listener on listener.id = listener_id`,
};

/** Releases the notifications that the blocks up to `head` confirm. Returns the destinations to which they are due. */
export async function releaseConfirmed(
  { query, chainId }: ChainTransaction,
  head: number,
): Promise<ReadonlySet<string>> {
  const destinations = new Set<string>();
  for (;;) {
    const [released] = await query<{ readonly count: number; readonly destinations: readonly string[] }>(
      releaseConfirmedSql,
      [chainId, head],
    );
    if (released === undefined || released.count === 0) return destinations;
    for (const destination of released.destinations) destinations.add(destination);
  }
}

/** Returns undefined if an event of this block is sent at once. */
export function holdOf({ delivery, confirmations }: Timing, block: number, head: number): Hold | undefined {
  if (delivery !== "head") return { delivery, block };
  const last = block + confirmations - 1;
  return last <= head ? undefined : { delivery, block: last };
}
