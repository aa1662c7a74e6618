/** A queue whose items are served round robin between their callers, and first in, first out for each of them. */
export class FairQueue<Item> {
  /** In round-robin order. No set is empty. */
  readonly #byCaller = new Map<string, Set<Item>>();

  /** The item that is served next. */
  get next(): Item | undefined {
    const [items] = this.#byCaller.values();
    const [item] = items ?? [];
    return item;
  }

  add(caller: string, item: Item): void {
    const items = this.#byCaller.get(caller);
    if (items === undefined) this.#byCaller.set(caller, new Set([item]));
    else items.add(item);
  }

  /** If the item was next, it was its caller's turn: the others come first now. */
  delete(caller: string, item: Item): void {
    const items = this.#byCaller.get(caller);
    const wasNext = item === this.next;
    if (items?.delete(item) !== true) return;
    if (wasNext || items.size === 0) this.#byCaller.delete(caller);
    if (wasNext && items.size > 0) this.#byCaller.set(caller, items);
  }
}
