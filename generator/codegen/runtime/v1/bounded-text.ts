/** UTF-8 that comes in chunks, up to a number of bytes. What is longer becomes a sentence that is no JSON, and so a bad response. */
export class BoundedText {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  #bytes = 0;
  #text = "";

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False when it is more than enough: there is no use in reading on. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#maxBytes) return false;
    this.#text += this.#decoder.decode(chunk, { stream: true });
    return true;
  }

  end(): string {
    if (this.#bytes > this.#maxBytes) return `more than ${this.#maxBytes} bytes: ${this.#text.slice(0, 100)}`;
    return this.#text + this.#decoder.decode();
  }
}

/** All of a body that is not longer. */
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
