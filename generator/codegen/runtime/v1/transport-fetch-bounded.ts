import { readBounded } from "./bounded-text.ts";
import type { Transport } from "./transport.ts";

/**
 * `fetch` with a size limit for responses, counted after decompression. A longer response is not read to its end and
 * fails with error -5. Streams are limited by `itemMaxLength` instead.
 */
export function boundedFetch(maxResponseBytes: number): Transport {
  return async (url, init) => {
    const { status, headers, body } = await fetch(url, init);
    return { status, headers, body, text: () => readBounded(body, maxResponseBytes) };
  };
}
