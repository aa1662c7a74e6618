import type { Queries } from "../base/storage/database.ts";
import type { Hex } from "../chain/rpc/chain.ts";
import { announceAll, uidOf } from "./notifications.ts";

/** Which notifications to send again. Fields that are set are combined with AND. */
export interface ReplayFilter {
  readonly uid?: string | undefined;
  readonly listenerId?: number | undefined;
  readonly chainId?: number | undefined;
  readonly sequence?: number | undefined;
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
  /** When the notification was stored: from this time on, and before `until`. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
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
    and (notification.state = 'failed' or (notification.state = 'accepted' and not $6))
    and ($1::text is null
         or webhook_uid(batch.chain_id, block_hash, log_indexes[notification.event - first_event + 1], is_removal) = $1)
    and ($2::bigint is null or notification.listener_id = $2)
    and ($3::bigint is null or batch.chain_id = $3)
    and ($4::bigint is null or batch.block_number >= $4)
    and ($5::bigint is null or batch.block_number <= $5)
    and ($7::bigint is null or (first_sequence <= $7 and last_sequence >= $7 and notification.sequence = $7))
    and ($10::timestamptz is null or batch.stored_at >= $10)
    and ($11::timestamptz is null or batch.stored_at < $11)
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
  { uid, listenerId, chainId, fromBlock, toBlock, since, until, onlyFailed, sequence }: ReplayFilter,
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
    since ?? null,
    until ?? null,
  ]);
  await announceAll(queries);
  return replayed.length;
}

/** Batches per query, so that none takes long. */
const pageSize = 5_000;

/** The largest `bigint` of Postgres. */
const maxBigint = "9223372036854775807";

interface BatchRow {
  readonly chain_id: string;
  readonly first_sequence: string;
  readonly block_number: string;
  readonly hash: string;
  readonly log_indexes: readonly number[];
  readonly is_removal: boolean;
}

const pageSql = {
  name: "webhook-batches-before",
  text: `select chain_id, first_sequence, block_number, encode(block_hash, 'hex') as hash, log_indexes, is_removal from webhook_batch
         where (chain_id, first_sequence) < ($1::bigint, $2::bigint)
         order by chain_id desc, first_sequence desc limit ${pageSize}`,
};

/**
 * Returns the block of the event with this uid. Computes the uids of all stored events, which takes about two seconds for a million: an index
 * of them would cost a third of the time in which notifications are stored.
 */
export async function blockOfUid(
  queries: Queries,
  uid: string,
): Promise<{ readonly chainId: number; readonly block: number } | undefined> {
  let last: BatchRow | undefined;
  do {
    const rows: readonly BatchRow[] = await queries.query<BatchRow>(pageSql, [
      last?.chain_id ?? maxBigint,
      last?.first_sequence ?? maxBigint,
    ]);
    const found = rows.find((row) => hasUid(row, uid));
    if (found !== undefined) return { chainId: Number(found.chain_id), block: Number(found.block_number) };
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  } while (last !== undefined);
  return undefined;
}

function hasUid({ chain_id, hash, log_indexes, is_removal }: BatchRow, uid: string): boolean {
  const type = is_removal ? "BLOCK_REMOVED" : "BLOCK_ADDED";
  return log_indexes.some((logIndex) => uidOf(Number(chain_id), `0x${hash}` as Hex, logIndex, type) === uid);
}
