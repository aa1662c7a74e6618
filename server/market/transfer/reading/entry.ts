import { isUtf8 } from "node:buffer";

/** One record as it stands in a file, or why there is none. */
export type Entry = Place & ({ readonly text: string } | { readonly fault: string });

/** Where a record stands, for whoever has to mend it. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** Which entry of a JSON array it is, from 1; undefined in NDJSON. */
  readonly index?: number;
}

/** Splits bytes into entries, however they are cut into pieces. */
export interface Splitter {
  push(chunk: Buffer): Iterable<Entry>;
  end(): Iterable<Entry>;
}

/** Largest entry, in bytes: three documents of 2 MiB and what stands around them. More is never held. */
export const entryMaxBytes = 8_388_608;

/** The pieces of one entry. Beyond the bound they are counted and dropped. */
export class Pieces {
  #pieces: Buffer[] = [];
  #bytes = 0;

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= entryMaxBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  /** Answers the entry, and is empty again. Undefined: nothing but blanks. */
  take(place: Place): Entry | undefined {
    const bytes = this.#bytes;
    const [only = Buffer.alloc(0), ...others] = this.#pieces;
    this.#pieces = [];
    this.#bytes = 0;
    if (bytes > entryMaxBytes)
      return { ...place, fault: `${bytes} bytes, at most ${entryMaxBytes} are read` };
    const whole = others.length === 0 ? only : Buffer.concat([only, ...others]);
    if (!isUtf8(whole)) return { ...place, fault: "not UTF-8" };
    const text = whole.toString("utf8");
    return text.trim() === "" ? undefined : { ...place, text };
  }
}
