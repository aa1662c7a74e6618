import { BoundedText } from "./bounded-text.ts";
import type { Transport } from "./transport.ts";

/** `fetch` with a bound on answers, counted after decompression: a longer one is not read to its end and fails with -5. */
export function boundedFetch(maxResponseBytes: number): Transport {
  return async (url, init) => {
    const { status, headers, body } = await fetch(url, init);
    return { status, headers, text: () => readBounded(body, maxResponseBytes) };
  };
}

async function readBounded(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string> {
  const text = new BoundedText(maxBytes);
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    if (text.add(part.value)) continue;
    await reader?.cancel();
    break;
  }
  return text.end();
}
