import type { CopyRow } from "../../base/storage/copy.ts";
import type { BlockId, ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { storeBatches } from "./batches.ts";
import { type ConfirmationDue, isConfirmationDue } from "./held.ts";
import { insertNotifications } from "./insert.ts";
import type { NetworkRow } from "./network-row.ts";
import type { NewEvent, NewNotifications } from "./new-notifications.ts";

const numbersSql = {
  name: "webhook-network-numbers",
  text: `update webhook_network set last_sequence = $2, last_event = $3, last_block = greatest(last_block, $4)
         where chain_id = $1 returning ${isConfirmationDue("$5")}`,
};

/** Most notifications that are stored in one statement. */
const maxInserted = 500;

/**
 * Stores each event once, and a row for each listener to notify, numbered in chain order. Uses COPY for many notifications: one block can
 * produce hundreds of thousands. Returns whether earlier notifications are held whose confirmations are complete.
 */
export async function store(
  tx: ChainTransaction,
  { lastSequence, lastEvent }: Pick<NetworkRow, "lastSequence" | "lastEvent">,
  { events, lastBlock, head }: NewNotifications,
): Promise<boolean> {
  const { chainId } = tx;
  const count = events.reduce((sum, { recipients }) => sum + recipients.length, 0);
  if (count > 0 && count <= maxInserted)
    return insertNotifications(tx, { lastSequence, lastEvent }, { events, lastBlock, head });
  if (count > 0) {
    await storeBatches(
      tx,
      { firstSequence: lastSequence + 1, firstEvent: lastEvent + 1, isRemoval: false },
      events,
    );
    await tx.copy(
      "webhook_notification",
      ["chain_id", "sequence", "listener_id", "event", "state", "delivery", "block_number"],
      notificationRows(chainId, lastSequence, lastEvent, events),
    );
  }
  const values = [chainId, lastSequence + count, lastEvent + events.length, lastBlock, head];
  const [row] = await tx.query<ConfirmationDue>(numbersSql, values);
  return row?.is_confirmation_due === true;
}

function* notificationRows(
  chainId: number,
  lastSequence: number,
  lastEvent: number,
  events: readonly NewEvent[],
): Iterable<CopyRow> {
  let sequence = lastSequence;
  let number = lastEvent;
  for (const { recipients } of events) {
    number++;
    for (const { listenerId, hold } of recipients) {
      const cells = hold === undefined ? "waiting\t\\N\t\\N" : `held\t${hold.delivery}\t${hold.block}`;
      yield `${chainId}\t${++sequence}\t${listenerId}\t${number}\t${cells}\n`;
    }
  }
}

const occurrencesSql = {
  name: "webhook-occurrences",
  text: `select encode(block_hash, 'hex') as hash, max(occurrence) as removed from webhook_batch
         where chain_id = $1 and block_number = any($2::bigint[]) and block_hash = any($3) and is_gone group by block_hash`,
};

/** How often each block was added, including this time. Omits blocks that are added for the first time. */
export async function occurrencesOf(
  tx: ChainTransaction,
  blocks: readonly BlockId[],
): Promise<ReadonlyMap<Hex, number>> {
  if (blocks.length === 0) return new Map();
  const hashes = blocks.map(({ hash }) => Buffer.from(hash.slice(2), "hex"));
  const numbers = blocks.map(({ number }) => number);
  const values = [tx.chainId, numbers, hashes];
  const rows = await tx.query<{ hash: string; removed: number }>(occurrencesSql, values);
  return new Map(rows.map(({ hash, removed }) => [`0x${hash}` as const, removed + 1]));
}
