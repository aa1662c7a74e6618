/**
 * Works on each part while the next one is made ready, and on no two at once. What fails waits for the other to end, so that nothing
 * goes on behind a failure.
 */
export async function oneAhead<Part>(
  parts: AsyncIterable<Part>,
  work: (part: Part) => Promise<void>,
): Promise<void> {
  const iterator = parts[Symbol.asyncIterator]();
  for (let ready = await iterator.next(); ready.done !== true; ) {
    const [worked, next] = await Promise.allSettled([work(ready.value), iterator.next()]);
    if (worked.status === "rejected") throw worked.reason;
    if (next.status === "rejected") throw next.reason;
    ready = next.value;
  }
}
