/** Stores the items of streams in the follower's transaction, which has locked the network's row. */
import type { Queries } from "../../base/storage/database.ts";
import type { BlockId } from "../../chain/follower/derive/blocks.ts";
import type { ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import type { NewEvent } from "../notifications.ts";

/** Number of items that are kept for each stream: 4 MB. Readers that are further behind get EventsGap. */
const keptItems = 5_000;

/** How long items are kept, and streams without readers, in minutes. */
export const keptMinutes = 60;

/** NOTIFY channel for newly committed items. The payload is a list of ids of streams. */
export const streamChannel = "event_stream";

/** Items of one statement, so that none reaches its timeout. */
const itemsPerStatement = 2_000;

const storeSql = {
  name: "event-stream-store",
  text: `
with item as (
  select * from json_to_recordset($1) as item (
    stream bigint, rank int, "blockNumber" bigint, "blockHash" bytea, "logIndex" int, body text)
), stream as (
  update event_stream set last = last + count
  from (select stream, count(*) from item group by stream) as added where id = added.stream returning id, last - count as before
)
insert into event_stream_item (stream_id, number, block_number, block_hash, log_index, body)
select id, before + rank, "blockNumber", "blockHash", "logIndex", body from item join stream on id = item.stream`,
};

/** Stores the events of streams, in the order of the chain. */
export async function storeStreamItems(tx: ChainTransaction, events: readonly NewEvent[]): Promise<void> {
  const streams = new Set<number>();
  let items: object[] = [];
  let ranks = new Map<number, number>();
  async function flush(): Promise<void> {
    await tx.query(storeSql, [JSON.stringify(items)]);
    [items, ranks] = [[], new Map()];
  }
  for (const { streams: readers = [], block, logIndex, body } of events) {
    if (readers.length === 0) continue;
    const item = {
      blockNumber: block.number,
      blockHash: `\\x${block.hash.slice(2)}`,
      logIndex,
      body: body(),
    };
    for (const stream of readers) {
      const rank = (ranks.get(stream) ?? 0) + 1;
      ranks.set(stream, rank);
      streams.add(stream);
      items.push({ stream, rank, ...item });
    }
    if (items.length >= itemsPerStatement) await flush();
  }
  if (items.length > 0) await flush();
  await finish(tx, [...streams]);
}

/**
 * A stream whose deleted items may belong to removed blocks cannot send all removals. It loses its epoch, so that its readers get
 * EventsGap.
 */
const interruptSql = {
  name: "event-stream-interrupt",
  text: `
with interrupted as (
  update event_stream set epoch = gen_random_uuid(), trimmed_through = -1
  where chain_id = $1 and trimmed_through >= $2 returning id
), deleted as (
  delete from event_stream_item using interrupted where stream_id = interrupted.id
)
select id from interrupted`,
};

/** The last addition is removed first. */
const removeSql = {
  name: "event-stream-remove",
  text: `
with gone as (
  update event_stream_item item set is_gone = true from event_stream stream
  where stream.chain_id = $1 and item.stream_id = stream.id
    and block_number = any($2::bigint[]) and block_hash = any($3) and not is_removal and not is_gone
  returning item.*
), stream as (
  update event_stream set last = last + count
  from (select stream_id, count(*) from gone group by stream_id) as removed where id = stream_id returning id, last - count as before
), removal as (
  insert into event_stream_item (stream_id, number, block_number, block_hash, log_index, body, is_removal)
  select id, before + row_number() over (partition by id order by number desc), block_number, block_hash, log_index, body, true
  from gone join stream on id = stream_id
)
select id from stream`,
};

/** Stores a removal for each item of these blocks. `lowest` is the lowest of them. */
export async function storeStreamRemovals(
  tx: ChainTransaction,
  blocks: readonly BlockId[],
  lowest: number,
): Promise<void> {
  const interrupted = await tx.query<{ id: string }>(interruptSql, [tx.chainId, lowest]);
  const removed = await tx.query<{ id: string }>(removeSql, [
    tx.chainId,
    blocks.map(({ number }) => number),
    blocks.map(({ hash }) => Buffer.from(hash.slice(2), "hex")),
  ]);
  await finish(
    tx,
    [...interrupted, ...removed].map(({ id }) => Number(id)),
  );
}

/** SQL: deletes items, and remembers the highest block of those on the chain. */
const trim = (condition: string): string => `
with trimmed as (
  delete from event_stream_item item using event_stream stream
  where stream.id = item.stream_id and ${condition} returning item.*
), lowered as (
  update event_stream set trimmed_through = greatest(trimmed_through, block)
  from (select stream_id, max(block_number) as block from trimmed where not is_removal and not is_gone group by stream_id) as highest
  where id = stream_id
)
select count(*)::int as count from trimmed`;

const trimSurplusSql = {
  name: "event-stream-trim",
  text: trim(`stream.id = any($1::bigint[]) and number <= last - ${keptItems}`),
};

/** Deletes surplus items, and wakes the readers when the transaction commits. */
async function finish(tx: ChainTransaction, streams: readonly number[]): Promise<void> {
  if (streams.length === 0) return;
  await tx.query(trimSurplusSql, [streams]);
  await tx.query("select pg_notify($1, string_agg(id, ',')) from unnest($2::text[]) as stream (id)", [
    streamChannel,
    streams,
  ]);
}

const lockNetworksSql =
  "select from webhook_network where chain_id in (select chain_id from event_stream) order by chain_id for update";

/** Deletes streams without readers, and at most `maxItems` old items. Returns the number of deleted items. */
export async function deleteOldStreams(tx: Queries, maxItems: number): Promise<number> {
  // Before the rows of streams, as the follower does.
  await tx.query(lockNetworksSql);
  await tx.query(`delete from event_stream where read_at < now() - interval '${keptMinutes} minutes'`);
  const [row] = await tx.query<{ count: number }>(
    trim(`(stream_id, number) in (
      select stream_id, number from event_stream_item where stored_at < now() - interval '${keptMinutes} minutes'
      order by stream_id, number limit $1)`),
    [maxItems],
  );
  return row?.count ?? 0;
}
