import { type Entry, EntryBuffer, type Splitter } from "./entry.ts";

const newline = 0x0a;

export function countLines(chunk: Buffer): number {
  return chunk.filter((byte) => byte === newline).length;
}

/** Splits NDJSON into lines. Skips blank lines. */
export class LineSplitter implements Splitter {
  readonly #buffer = new EntryBuffer();
  #line: number;

  constructor(firstLine: number) {
    this.#line = firstLine;
  }

  *push(chunk: Buffer): Iterable<Entry> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#buffer.add(chunk.subarray(start, end));
      const entry = this.#buffer.flush({ line: this.#line });
      if (entry !== undefined) yield entry;
      this.#line++;
      start = end + 1;
    }
    if (start < chunk.length) this.#buffer.add(chunk.subarray(start));
  }

  *end(): Iterable<Entry> {
    const entry = this.#buffer.flush({ line: this.#line });
    if (entry !== undefined) yield entry;
  }
}
