/** Groups the events of blocks into batches, and applies each batch in memory before anything is written. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { ChainBlock } from "../../../chain/follower/derive/deriver.ts";
import type { SequenceKind } from "../../../chain/networks/markets.ts";
import type { NewOrder } from "./create-orders.ts";
import { decodeEvent, type LocatedEvent } from "./events.ts";
import { RequestRegistry } from "./request-registry.ts";

export interface EventBatch {
  readonly events: readonly LocatedEvent[];
  /** New requests, each with the state after all events of the batch, so that its order is written once. */
  readonly created: readonly NewOrder[];
  /** All requests of the batch. */
  readonly registry: RequestRegistry;
}

/**
 * Least number of events in a batch; blocks are not split. A range of old blocks yields several batches, so that one is decoded while
 * another is written.
 */
const minBatchEvents = 2_500;
/** Logs that are decoded without yielding to the event loop: a millisecond of work. */
const logsBetweenYields = 64;

/** Yields the events in batches. Throws if a log does not have the form of its event. */
export async function* eventBatches(
  kinds: ReadonlyMap<string, SequenceKind>,
  blocks: readonly ChainBlock[],
  finalBlock: number,
): AsyncGenerator<EventBatch> {
  let events: LocatedEvent[] = [];
  let logs = 0;
  for (const block of blocks) {
    for (const log of block.logs) {
      const marketplace = kinds.get(log.address);
      if (marketplace === undefined) continue;
      events.push({ block, market: log.address, marketplace, event: decodeEvent(log) });
      if (++logs % logsBetweenYields === 0) await yieldToEventLoop();
    }
    if (events.length < minBatchEvents) continue;
    yield batchOf(events, finalBlock);
    events = [];
  }
  if (events.length > 0) yield batchOf(events, finalBlock);
}

function batchOf(events: readonly LocatedEvent[], finalBlock: number): EventBatch {
  const registry = new RequestRegistry(finalBlock);
  const created: NewOrder[] = [];
  for (const located of events) {
    if (located.event.kind !== "created") registry.apply(located);
    else {
      const request = registry.create(located, located.event);
      if (request !== undefined) created.push({ located, created: located.event, request });
    }
  }
  return { events, created, registry };
}
