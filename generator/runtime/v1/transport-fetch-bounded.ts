import { BoundedText } from "./bounded-text.ts";
import type { Transport } from "./transport.ts";
import { fetchWith } from "./transport-fetch.ts";

/** `fetch` with a bound on answers, counted after decompression: a longer one is left unread and fails with -5. */
export function boundedFetchTransport(maxResponseBytes: number): Transport {
  return fetchWith(async (url, init) => {
    const { status, headers, body } = await fetch(url, init);
    return { status, headers, text: () => readBounded(body, maxResponseBytes) };
  });
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
