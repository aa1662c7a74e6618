import { type Entry, Pieces, type Splitter } from "./entry.ts";

const sign = {
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
 * A JSON array, whose entries are handed on one by one. It looks at brackets and quotes only: whether an entry is JSON is seen when
 * it is read. Signs of structure are ASCII, and no byte of a longer character is, so that bytes may be looked at one by one.
 */
export class ArraySplitter implements Splitter {
  readonly #pieces = new Pieces();
  #line = 1;
  #index = 0;
  #place = { line: 1, index: 0 };
  /** 0 before and after the array, 1 in it, 2 or more in an entry of it. */
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** Between the first byte of an entry and the comma after it. */
  #isInEntry = false;
  #isClosed = false;

  *push(chunk: Buffer): Iterable<Entry> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === sign.newline) this.#line++;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === sign.backslash) this.#isEscaped = true;
        else if (byte === sign.quote) this.#isInText = false;
        continue;
      }
      if (byte === sign.openList && this.#depth === 0 && !this.#isClosed) {
        this.#depth = 1;
        continue;
      }
      const isEnd = this.#depth === 1 && (byte === sign.comma || byte === sign.closeList);
      if (isEnd) {
        if (this.#isInEntry) {
          this.#pieces.add(chunk.subarray(start, at));
          yield* this.#finish();
        } else if (byte === sign.comma) {
          this.#begin();
          yield { ...this.#place, fault: "there is nothing before the comma" };
        }
        if (byte === sign.closeList) {
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
      if (byte === sign.quote) this.#isInText = true;
      else if (byte === sign.openObject || byte === sign.openList) this.#depth++;
      else if ((byte === sign.closeObject || byte === sign.closeList) && this.#depth > 1) this.#depth--;
    }
    if (this.#isInEntry) this.#pieces.add(chunk.subarray(start));
  }

  *end(): Iterable<Entry> {
    if (this.#isInEntry) {
      const fault = this.#isClosed ? "this stands behind the array" : "the file ends within this entry";
      yield { ...this.#place, fault };
    } else if (!this.#isClosed) {
      yield { line: this.#line, fault: 'the file ends before the "]" of its array' };
    }
  }

  #begin(): void {
    this.#index++;
    this.#place = { line: this.#line, index: this.#index };
  }

  *#finish(): Iterable<Entry> {
    this.#isInEntry = false;
    const entry = this.#pieces.take(this.#place);
    if (entry !== undefined) yield entry;
  }
}
