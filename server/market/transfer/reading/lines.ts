import { type Entry, Pieces, type Splitter } from "./entry.ts";

const newline = 0x0a;

/** NDJSON: an entry a line. Blank lines are passed over. */
export class LineSplitter implements Splitter {
  readonly #pieces = new Pieces();
  #line = 1;

  *push(chunk: Buffer): Iterable<Entry> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#pieces.add(chunk.subarray(start, end));
      const entry = this.#pieces.take({ line: this.#line });
      if (entry !== undefined) yield entry;
      this.#line++;
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces.add(chunk.subarray(start));
  }

  *end(): Iterable<Entry> {
    const entry = this.#pieces.take({ line: this.#line });
    if (entry !== undefined) yield entry;
  }
}
