/** Streams that continue after any of their latest items: the handlers of methods with `@resume`. */
import type { RpcFailure } from "./failure.ts";
import type { Awaitable, HandlerContext } from "./handler.ts";

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
 * Returns the items of a topic after the position `after`, or from now on without one. Raises the error that `@resume` of
 * the method names if items after the position are lost, at the start or when the caller has read too slowly. Tells the
 * caller the position where the stream starts in the header `Stream-Position`.
 */
export async function replay<Item, ErrorName extends string>(
  store: ReplayStore<Item>,
  topic: string,
  after: string | null | undefined,
  ctx: HandlerContext<unknown, ErrorName>,
): Promise<AsyncGenerator<Item, undefined, undefined> | RpcFailure<ErrorName>> {
  const gap = gapError(ctx);
  const start = after || (await store.position(topic));
  if (after && (await store.itemsAfter(topic, start, 1)) === "gap") return gap();
  ctx.setHeader("Stream-Position", start);
  return itemsFrom(store, topic, start, { signal: ctx.signal, gap });
}

/** Returns the function that creates the error that `@resume` names. */
function gapError<ErrorName extends string>({
  method,
  errors,
}: HandlerContext<unknown, ErrorName>): () => RpcFailure<ErrorName> {
  const { resume } = method.annotations;
  const name = typeof resume === "string" ? (resume.split(",")[2] ?? "").trim() : "";
  const gap = Object.hasOwn(errors, name) ? errors[name as ErrorName] : undefined;
  if (gap === undefined)
    throw new TypeError(`${method.service}/${method.name}: replay needs @resume:"after,id,Gap"`);
  return gap;
}

/** Items that a reader takes from the store in one step. */
const batch = 100;

async function* itemsFrom<Item>(
  store: ReplayStore<Item>,
  topic: string,
  start: string,
  { signal, gap }: { readonly signal: AbortSignal; readonly gap: () => Error },
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
      const entries = await store.itemsAfter(topic, position, batch);
      if (entries === "gap") throw gap();
      for (const { id, item } of entries) {
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
