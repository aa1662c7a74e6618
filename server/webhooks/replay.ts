import type { Queries } from "../base/storage/database.ts";
import { storedFailed } from "./notification-state.ts";
import { blockOfUid } from "./notify/find-uid.ts";

/** Which notifications to send again. Fields that are set are combined with AND. */
export interface ReplayFilter {
  readonly uid?: string | undefined;
  readonly listenerId?: number | undefined;
  readonly chainId?: number | undefined;
  readonly sequence?: number | undefined;
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
  /** True: only failed notifications. False: accepted ones too. */
  readonly onlyFailed: boolean;
}

/** Keeps the webhook-id and restarts the retry schedule. Dropped notifications stay dropped: their block has left the chain. */
const replaySql = `
with found as (
  select notification.chain_id, notification.sequence
  from webhook_batch batch cross join lateral (
    select * from webhook_notification
    where chain_id = batch.chain_id and sequence between first_sequence and last_sequence
    -- Keeps the order of the join: the notifications of a batch are a range of the primary key.
    offset 0
  ) as notification
  where exists (select 1 from webhook_listener where id = notification.listener_id)
    and (notification.state = '${storedFailed}' or (notification.state = 'accepted' and not $6))
    and ($1::text is null
         or webhook_uid(batch.chain_id, block_hash, log_indexes[notification.event - first_event + 1], is_removal) = $1)
    and ($2::bigint is null or notification.listener_id = $2)
    and ($3::bigint is null or batch.chain_id = $3)
    and ($4::bigint is null or batch.block_number >= $4)
    and ($5::bigint is null or batch.block_number <= $5)
    and ($7::bigint is null or (first_sequence <= $7 and last_sequence >= $7 and notification.sequence = $7))
    and ($8::bigint is null or (batch.chain_id = $8 and batch.block_number = $9))
)
update webhook_notification notification
set state = 'waiting', due_at = now(), attempts_before = notification.attempts
from found where notification.chain_id = found.chain_id and notification.sequence = found.sequence
returning 1`;

/**
 * Returns the number of notifications that will be sent again, and notifies all delivering processes. Undefined if there is no event with
 * the uid.
 */
export async function replay(
  queries: Queries,
  { uid, listenerId, chainId, fromBlock, toBlock, onlyFailed, sequence }: ReplayFilter,
): Promise<number | undefined> {
  const found = uid === undefined ? undefined : await blockOfUid(queries, uid);
  if (uid !== undefined && found === undefined) return undefined;
  const replayed = await queries.query(replaySql, [
    uid ?? null,
    listenerId ?? null,
    chainId ?? null,
    fromBlock ?? null,
    toBlock ?? null,
    onlyFailed,
    sequence ?? null,
    found?.chainId ?? null,
    found?.block ?? null,
  ]);
  // An empty payload makes processes scan for due items.
  await queries.query("select pg_notify('webhook_work', '')");
  return replayed.length;
}
