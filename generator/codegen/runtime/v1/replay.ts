/** Streams that continue after any of their latest items: the handlers of methods with `@resume`. */
import type { RpcFailure } from "./failure.ts";
import type { Awaitable, HandlerContext } from "./handler.ts";
import { sleep } from "./sleep.ts";

/**
 * Keeps the latest items of topics. Positions are opaque texts of printable ASCII, and each item has one. A position of
 * another topic, or of a store that has lost its items, is a gap.
 */
export interface ReplayStore<Item> {
  /** Adds the item that `create` returns for its id, and returns the item when readers can get it. */
  publish(topic: string, create: (id: string) => Item): Awaitable<Item>;
  /** Returns the position after the latest item. */
  position(topic: string): Awaitable<string>;
  /**
   * Returns the items after a position, oldest first. Fewer than `max` items: there are no more. "gap": the position is
   * unknown, or an item after it has been dropped.
   */
  itemsAfter(topic: string, position: string, max: number): Awaitable<readonly ReplayEntry<Item>[] | "gap">;
  /** Calls back after items have been added. Returns the function that stops this. */
  onPublish(topic: string, wake: () => void): () => void;
}

/** An item, and the position after it. */
export interface ReplayEntry<Item> {
  readonly id: string;
  readonly item: Item;
}

/**
 * Returns the items of a topic after the position `after`, or from now on if it is absent or empty. Raises the error that `@resume` of
 * the method names if items after the position are lost, at the start or when the caller has read too slowly. Tells the
 * caller the position where the stream starts in the header `Stream-Position`. Reads of a store that fails are repeated for
 * 30 seconds, while a database restarts or another one takes over.
 * @throws TypeError if an item does not contain the id that `publish` passed, so that no caller could continue after it.
 */
export async function replay<Item, ErrorName extends string>(
  store: ReplayStore<Item>,
  topic: string,
  after: string | null | undefined,
  ctx: HandlerContext<unknown, ErrorName>,
): Promise<AsyncGenerator<Item, undefined, undefined> | RpcFailure<ErrorName>> {
  const { signal } = ctx;
  const { gap, hasId } = resumptionOf(ctx);
  const start = after || (await patiently(() => store.position(topic), signal));
  if (after && (await patiently(() => store.itemsAfter(topic, start, 1), signal)) === "gap") return gap();
  ctx.setHeader("Stream-Position", start);
  return itemsFrom(store, topic, start, { signal, gap, hasId });
}

/** What `@resume` of a method means for its handler. */
interface Resumption<ErrorName extends string = string> {
  /** Creates the error for a gap. */
  readonly gap: () => RpcFailure<ErrorName>;
  /** Whether an item contains its id. */
  readonly hasId: (item: unknown, id: string) => boolean;
}

function resumptionOf<ErrorName extends string>({
  method,
  errors,
}: HandlerContext<unknown, ErrorName>): Resumption<ErrorName> {
  const { resume } = method.annotations;
  const names = typeof resume === "string" ? resume.split(",").map((name) => name.trim()) : [];
  const [, path = "", name = ""] = names;
  const gap = Object.hasOwn(errors, name) ? errors[name as ErrorName] : undefined;
  if (gap === undefined)
    throw new TypeError(`${method.service}/${method.name}: replay needs @resume:"after,id,Gap"`);
  const keys = path.split(".");
  const hasId = (item: unknown, id: string): boolean =>
    keys.reduce((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], item) === id;
  return { gap, hasId };
}

/** How long the reads of a store may fail, in milliseconds. */
const patienceMs = 30_000;

/** Repeats a read that fails, after 0.1, 0.2, 0.4, … and at most 5 seconds. */
async function patiently<Value>(read: () => Awaitable<Value>, signal: AbortSignal): Promise<Value> {
  const start = performance.now();
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 5_000)) {
    try {
      return await read();
    } catch (thrown) {
      const leftMs = start + patienceMs - performance.now();
      if (leftMs <= 0) throw thrown;
      await sleep(Math.min(pauseMs, leftMs), signal);
      if (signal.aborted) throw thrown;
    }
  }
}

/** Items that a reader takes from the store in one step. */
const batch = 100;

async function* itemsFrom<Item>(
  store: ReplayStore<Item>,
  topic: string,
  start: string,
  { signal, gap, hasId }: Resumption & { readonly signal: AbortSignal },
): AsyncGenerator<Item, undefined, undefined> {
  let position = start;
  let hasNew = false;
  let wake = (): void => {};
  const onAbort = (): void => wake();
  // Before the first read, so that no item is published unnoticed between a read and a wait.
  const stop = store.onPublish(topic, () => {
    hasNew = true;
    wake();
  });
  signal.addEventListener("abort", onAbort);
  try {
    while (!signal.aborted) {
      hasNew = false;
      const entries = await patiently(() => store.itemsAfter(topic, position, batch), signal);
      if (entries === "gap") throw gap();
      for (const { id, item } of entries) {
        if (!hasId(item, id)) throw new TypeError("an item must contain the id that publish passed");
        position = id;
        yield item;
      }
      if (entries.length === batch || hasNew || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    stop();
  }
  return undefined;
}
