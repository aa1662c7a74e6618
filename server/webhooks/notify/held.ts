/** Notifications that wait until their block is safe or final. */
import type { Queries } from "../../base/storage/database.ts";
import type { ChainTransaction, Finality } from "../../chain/follower/derive/deriver.ts";

const hasHeldSql = {
  name: "webhook-has-held",
  text: "select exists (select from webhook_notification where chain_id = $1 and state = 'held') as has_held",
};

export async function hasHeld(queries: Queries, chainId: number): Promise<boolean> {
  const [row] = await queries.query<{ readonly has_held: boolean }>(hasHeldSql, [chainId]);
  return row?.has_held === true;
}

/** Most notifications that one transaction releases. The next ones follow a second later. */
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
select distinct host from released join webhook_listener listener on listener.id = listener_id`,
};

/** Releases the notifications of blocks that are safe or final. Returns the hosts to which they are due. */
export async function release(
  { query, chainId }: ChainTransaction,
  { safe, finalized }: Finality,
): Promise<ReadonlySet<string>> {
  const rows = await query<{ readonly host: string }>(releaseSql, [chainId, safe, finalized]);
  return new Set(rows.map(({ host }) => host));
}
