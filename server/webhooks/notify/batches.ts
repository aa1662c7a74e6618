/** Batches: the notifications of one block, stored together. */
import type { CopyValue } from "../../base/storage/copy.ts";
import type { BlockId, ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import { packBodies } from "./batch-bodies.ts";

/** An event to store. */
export interface BatchedEvent {
  readonly block: BlockId;
  readonly logIndex: number;
  /** How often the block was added to the chain, this time included. */
  readonly occurrence: number;
  /** Called while the row is written, so that Postgres stores rows while the next ones are built. */
  readonly body: () => string;
  /** One for each notification. Not empty. */
  readonly recipients: readonly unknown[];
}

/** The numbers of the first event and the first notification. The others follow without gaps. */
export interface FirstNumbers {
  readonly firstEvent: number;
  readonly firstSequence: number;
}

/** Most characters of the bodies of a batch, unless one event has more. To send one of its notifications, all are decompressed. */
const maxBatchCharacters = 32_768;

const columns = [
  "chain_id",
  "first_sequence",
  "last_sequence",
  "first_event",
  "block_number",
  "block_hash",
  "log_indexes",
  "is_removal",
  "occurrence",
  "bodies",
] as const;

/** Stores events in the order of their notifications. */
export async function storeBatches(
  tx: ChainTransaction,
  first: FirstNumbers & { readonly isRemoval: boolean },
  events: Iterable<BatchedEvent>,
): Promise<void> {
  await tx.copy("webhook_batch", columns, batchRows(tx.chainId, first, events));
}

/** Yields the cells of each row. */
export function* batchRows(
  chainId: number,
  { firstEvent, firstSequence, isRemoval }: FirstNumbers & { readonly isRemoval: boolean },
  events: Iterable<BatchedEvent>,
): Iterable<readonly CopyValue[]> {
  let [sequence, number] = [firstSequence, firstEvent];
  let [characters, notifications] = [0, 0];
  let batch: BatchedEvent[] = [];
  let bodies: string[] = [];
  function takeRow({ block, occurrence }: BatchedEvent): readonly CopyValue[] {
    const row: readonly CopyValue[] = [
      chainId,
      sequence,
      sequence + notifications - 1,
      number,
      block.number,
      Buffer.from(block.hash.slice(2), "hex"),
      `{${batch.map(({ logIndex }) => logIndex).join()}}`,
      isRemoval,
      occurrence,
      packBodies(bodies),
    ];
    sequence += notifications;
    number += batch.length;
    [characters, notifications, batch, bodies] = [0, 0, [], []];
    return row;
  }
  for (const event of events) {
    const [started] = batch;
    const body = event.body();
    if (
      started !== undefined &&
      (started.block.hash !== event.block.hash || characters + body.length > maxBatchCharacters)
    )
      yield takeRow(started);
    batch.push(event);
    bodies.push(body);
    characters += body.length;
    notifications += event.recipients.length;
  }
  const [last] = batch;
  if (last !== undefined) yield takeRow(last);
}
