/**
 * Processes items one at a time while the next item is being prepared. If either fails, waits for the other before throwing, so that
 * nothing keeps running.
 */
export async function forEachPrefetching<Item>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  for (let ready = await iterator.next(); ready.done !== true; ) {
    const [worked, next] = await Promise.allSettled([work(ready.value), iterator.next()]);
    if (worked.status === "rejected") throw worked.reason;
    if (next.status === "rejected") throw next.reason;
    ready = next.value;
  }
}
