import type { ReplayEntry, ReplayStore } from "./replay.ts";

/** Options of `itemsInMemory`. */
export interface ItemsInMemoryOptions {
  /** Items that are kept for each topic. The oldest ones are dropped first. Default 1,000. */
  readonly maxItems?: number;
  /** How long an item is kept, in milliseconds. Default one hour. */
  readonly maxAgeMs?: number;
  /** Topics with items. The one whose last item is the oldest is dropped first. Default 10,000. */
  readonly maxTopics?: number;
}

interface KeptItem<Item> extends ReplayEntry<Item> {
  readonly sequence: number;
  readonly at: number;
}

interface Topic<Item> {
  /** Oldest first. */
  items: KeptItem<Item>[];
  /** Number of the latest item that was dropped. */
  dropped: number;
}

/**
 * Keeps the latest items of streams in this process: for tests, and for servers that are a single process. When the process
 * ends, all items are lost, and callers that continue get the error for a gap.
 * @throws RangeError if a limit is not a positive number.
 */
export function itemsInMemory<Item>({
  maxItems = 1_000,
  maxAgeMs = 60 * 60 * 1_000,
  maxTopics = 10_000,
}: ItemsInMemoryOptions = {}): ReplayStore<Item> {
  for (const [name, limit] of Object.entries({ maxItems, maxAgeMs, maxTopics }))
    if (!(limit > 0)) throw new RangeError(`${name}: expected a positive number, found ${limit}`);
  /** In the order of their latest items. */
  const topics = new Map<string, Topic<Item>>();
  const listeners = new Map<string, Set<() => void>>();
  /** Tells ids of this store from those of an earlier process. Random numbers do not exist while some hosts load a module. */
  let epoch: string | undefined;
  /** Number of the latest item, of any topic. */
  let last = 0;
  /** Number of the latest item of all topics that were dropped. */
  let floor = 0;
  let sweepAt = 0;

  function idOf(sequence: number): string {
    epoch ??= crypto.getRandomValues(new BigUint64Array(1)).join("");
    return `${epoch}-${sequence}`;
  }

  function dropOld(topic: Topic<Item>, now: number): void {
    const { items } = topic;
    let count = 0;
    for (const { at, sequence } of items) {
      if (items.length - count <= maxItems && now - at <= maxAgeMs) break;
      topic.dropped = sequence;
      count++;
    }
    if (count > 0) items.splice(0, count);
  }

  /** Returns undefined for an id of another store. */
  function sequenceOf(id: string): number | undefined {
    const [own, digits = ""] = id.split("-");
    const sequence = Number(digits);
    return own === epoch && id === idOf(sequence) && sequence <= last ? sequence : undefined;
  }

  return {
    publish(name, create) {
      const now = Date.now();
      const sequence = last + 1;
      const id = idOf(sequence);
      const item = create(id);
      last = sequence;
      const topic = topics.get(name) ?? { items: [], dropped: floor };
      topic.items.push({ id, item, sequence, at: now });
      topics.delete(name);
      topics.set(name, topic);
      dropOld(topic, now);
      if (now >= sweepAt) {
        sweepAt = now + maxAgeMs / 10;
        for (const each of topics.values()) dropOld(each, now);
      }
      for (const [oldest, { items, dropped }] of topics) {
        if (topics.size <= maxTopics) break;
        floor = Math.max(floor, items.at(-1)?.sequence ?? dropped);
        topics.delete(oldest);
      }
      for (const wake of listeners.get(name) ?? []) wake();
      return item;
    },
    position: () => idOf(last),
    itemsAfter(name, position, max) {
      const topic = topics.get(name);
      if (topic !== undefined) dropOld(topic, Date.now());
      const after = sequenceOf(position);
      if (after === undefined || after < (topic?.dropped ?? floor)) return "gap";
      const items = topic?.items ?? [];
      const from = firstAfter(items, after);
      return items.slice(from, from + max);
    },
    onPublish(name, wake) {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(wake));
      return () => {
        own.delete(wake);
        if (own.size === 0 && listeners.get(name) === own) listeners.delete(name);
      };
    },
  };
}

/** Returns the index of the first item with a higher number. */
function firstAfter(items: readonly { readonly sequence: number }[], sequence: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle]?.sequence ?? 0) > sequence) high = middle;
    else low = middle + 1;
  }
  return low;
}
