/** What blocks say of requests, in parts that are worked out in memory before anything is written. */
import { setImmediate as turn } from "node:timers/promises";
import type { ChainBlock } from "../../../chain/follower/derive/deriver.ts";
import type { SequenceKind } from "../../../chain/networks/markets.ts";
import { Book } from "./book.ts";
import { type PlacedChange, readChange } from "./change.ts";
import type { NewOrder } from "./make-orders.ts";

export interface ToldPart {
  readonly changes: readonly PlacedChange[];
  /** Requests that came into being, each as all of the changes leave it, so that its order is written once. */
  readonly created: readonly NewOrder[];
  /** All of them. */
  readonly book: Book;
}

/** Changes of one part, at least; whole blocks. A range of old blocks is some parts, so that one is read while the last one is written. */
const partChanges = 2_500;
/** Logs that are read in one go, a millisecond of work: then the answers of the database have their turn. */
const turnLogs = 64;

/** Throws where a log is not formed as the event of its first topic is. */
export async function* toldParts(
  kinds: ReadonlyMap<string, SequenceKind>,
  blocks: readonly ChainBlock[],
  settledBlock: number,
): AsyncGenerator<ToldPart> {
  let changes: PlacedChange[] = [];
  let logs = 0;
  for (const block of blocks) {
    for (const log of block.logs) {
      const marketplace = kinds.get(log.address);
      if (marketplace === undefined) continue;
      changes.push({ block, market: log.address, marketplace, change: readChange(log) });
      if (++logs % turnLogs === 0) await turn();
    }
    if (changes.length < partChanges) continue;
    yield partOf(changes, settledBlock);
    changes = [];
  }
  if (changes.length > 0) yield partOf(changes, settledBlock);
}

function partOf(changes: readonly PlacedChange[], settledBlock: number): ToldPart {
  const book = new Book(settledBlock);
  const created: NewOrder[] = [];
  for (const placed of changes) {
    if (placed.change.kind !== "created") book.apply(placed);
    else {
      const request = book.create(placed, placed.change);
      if (request !== undefined) created.push({ placed, created: placed.change, request });
    }
  }
  return { changes, created, book };
}
