/** Logs that were skipped while their block was notified. A rewind mutes the block, except for them. */

import { readSkippedLogs } from "../../chain/follower/derive/derive.ts";
import type { ChainBlock, ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import type { NewEvent } from "../notifications.ts";

/** Returns the blocks above `mutedThrough`, and the others with their skipped logs only. */
export async function unmutedBlocks(
  tx: ChainTransaction,
  blocks: readonly ChainBlock[],
  { deriver, mutedThrough }: { readonly deriver: string; readonly mutedThrough: number },
): Promise<readonly ChainBlock[]> {
  const muted = blocks.filter(({ number, logs }) => number <= mutedThrough && logs.length > 0);
  const unmuted = blocks.filter(({ number }) => number > mutedThrough);
  if (muted.length === 0) return unmuted;
  const skipped = await readSkippedLogs(tx, deriver, muted);
  const replayed = muted.map((block) => {
    const indexes = skipped.get(block.hash);
    return { ...block, logs: block.logs.filter(({ logIndex }) => indexes?.has(logIndex) === true) };
  });
  return [...replayed.filter(({ logs }) => logs.length > 0), ...unmuted];
}

const notifiedSql = {
  name: "webhook-notified-listeners",
  text: `
select encode(b.block_hash, 'hex') as hash, log_indexes[event - first_event + 1] as log_index, listener_id
from webhook_batch b
join webhook_notification n on n.chain_id = b.chain_id and n.sequence between b.first_sequence and b.last_sequence
where b.chain_id = $1 and b.block_number = any($2::bigint[]) and b.block_hash = any($3) and not is_removal and not is_gone`,
};

/** Omits listeners that were notified of a skipped log while it was skipped: they read it as part of their past. */
export async function withoutNotified(
  tx: ChainTransaction,
  events: readonly NewEvent[],
  mutedThrough: number,
): Promise<readonly NewEvent[]> {
  const blocks = events.map(({ block }) => block).filter(({ number }) => number <= mutedThrough);
  if (blocks.length === 0) return events;
  const rows = await tx.query<{ hash: string; log_index: number; listener_id: string }>(notifiedSql, [
    tx.chainId,
    blocks.map(({ number }) => number),
    blocks.map(({ hash }) => Buffer.from(hash.slice(2), "hex")),
  ]);
  const notified = new Set(rows.map((row) => keyOf(`0x${row.hash}`, row.log_index, row.listener_id)));
  return events
    .map((event) => ({
      ...event,
      recipients: event.recipients.filter(
        ({ listenerId }) => !notified.has(keyOf(event.block.hash, event.logIndex, listenerId)),
      ),
    }))
    .filter(({ recipients }) => recipients.length > 0);
}

const keyOf = (hash: Hex, logIndex: number, listenerId: number | string): string =>
  `${hash} ${logIndex} ${listenerId}`;
