import { readBounded } from "./bounded-text.ts";
import type { Transport } from "./transport.ts";

/** `fetch` with a bound on answers, counted after decompression: a longer one is not read to its end and fails with -5. Streams have a bound on items instead. */
export function boundedFetch(maxResponseBytes: number): Transport {
  return async (url, init) => {
    const { status, headers, body } = await fetch(url, init);
    return { status, headers, body, text: () => readBounded(body, maxResponseBytes) };
  };
}
