/**
 * Decodes UTF-8 chunks up to `maxBytes`. Longer text becomes a sentence that is not JSON, so the client reports a bad
 * response.
 */
export class BoundedText {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  #bytes = 0;
  #text = "";

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns false once the limit is exceeded: the caller can stop reading. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#maxBytes) return false;
    this.#text += this.#decoder.decode(chunk, { stream: true });
    return true;
  }

  end(): string {
    if (this.#bytes > this.#maxBytes)
      return `the response is larger than ${this.#maxBytes} bytes: ${this.#text.slice(0, 100)}`;
    return this.#text + this.#decoder.decode();
  }
}

/** Reads a body as text, up to `maxBytes`. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  const text = new BoundedText(maxBytes);
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    if (text.add(part.value)) continue;
    await reader?.cancel();
    break;
  }
  return text.end();
}
