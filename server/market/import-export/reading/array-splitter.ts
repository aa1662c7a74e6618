import { type Entry, EntryBuffer, type Splitter } from "./entry.ts";

const bytes = {
  newline: 0x0a,
  quote: 0x22,
  comma: 0x2c,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/**
 * Splits a JSON array into its entries. Looks at brackets and quotes only; invalid JSON within an entry is found when the entry is parsed.
 * All structural characters are ASCII, and UTF-8 uses no ASCII byte within longer characters, so bytes can be read one by one.
 */
export class ArraySplitter implements Splitter {
  readonly #buffer = new EntryBuffer();
  #line: number;
  #index = 0;
  #location = { line: 1, index: 0 };
  /** 0 outside the array, 1 in it, 2 or more within an entry. */
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** Whether the position is between the first byte of an entry and the comma after it. */
  #isInEntry = false;
  #isClosed = false;

  constructor(firstLine: number) {
    this.#line = firstLine;
  }

  *push(chunk: Buffer): Iterable<Entry> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === bytes.newline) this.#line++;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === bytes.backslash) this.#isEscaped = true;
        else if (byte === bytes.quote) this.#isInText = false;
        continue;
      }
      if (byte === bytes.openList && this.#depth === 0 && !this.#isClosed) {
        this.#depth = 1;
        continue;
      }
      const isEnd = this.#depth === 1 && (byte === bytes.comma || byte === bytes.closeList);
      if (isEnd) {
        if (this.#isInEntry) {
          this.#buffer.add(chunk.subarray(start, at));
          yield* this.#finish();
        } else if (byte === bytes.comma) {
          this.#begin();
          yield { ...this.#location, error: "expected an entry before the comma" };
        }
        if (byte === bytes.closeList) {
          this.#depth = 0;
          this.#isClosed = true;
        }
        continue;
      }
      if (byte <= 0x20) continue;
      if (!this.#isInEntry) {
        this.#begin();
        this.#isInEntry = true;
        start = at;
      }
      if (byte === bytes.quote) this.#isInText = true;
      else if (byte === bytes.openObject || byte === bytes.openList) this.#depth++;
      else if ((byte === bytes.closeObject || byte === bytes.closeList) && this.#depth > 1) this.#depth--;
    }
    if (this.#isInEntry) this.#buffer.add(chunk.subarray(start));
  }

  *end(): Iterable<Entry> {
    if (this.#isInEntry) {
      const error = this.#isClosed ? "unexpected text after the array" : "the file ends within this entry";
      yield { ...this.#location, error };
    } else if (!this.#isClosed) {
      yield { line: this.#line, error: 'the file ends before the "]" of its array' };
    }
  }

  #begin(): void {
    this.#index++;
    this.#location = { line: this.#line, index: this.#index };
  }

  *#finish(): Iterable<Entry> {
    this.#isInEntry = false;
    const entry = this.#buffer.flush(this.#location);
    if (entry !== undefined) yield entry;
  }
}
