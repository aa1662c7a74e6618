import { isUtf8 } from "node:buffer";

/** The text of one record in a file, or why there is none. */
export type Entry = EntryLocation & ({ readonly text: string } | { readonly error: string });

/** Where a record is in its file. */
export interface EntryLocation {
  /** From 1. */
  readonly line: number;
  /** Position in a JSON array, from 1. Undefined in NDJSON. */
  readonly index?: number;
}

/** Splits bytes into entries, however the bytes are chunked. */
export interface Splitter {
  push(chunk: Buffer): Iterable<Entry>;
  end(): Iterable<Entry>;
}

/** Largest entry, in bytes: three documents of 2 MiB, with room to spare. Larger ones are never held in memory. */
const maxEntryBytes = 8_388_608;

/** Collects the chunks of one entry. Beyond the limit they are counted and dropped. */
export class EntryBuffer {
  #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= maxEntryBytes) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  /** Returns the entry and empties the buffer. Undefined for blank text. */
  flush(location: EntryLocation): Entry | undefined {
    const bytes = this.#bytes;
    const [only = Buffer.alloc(0), ...others] = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    if (bytes > maxEntryBytes)
      return { ...location, error: `the entry has ${bytes} bytes, at most ${maxEntryBytes} are allowed` };
    const whole = others.length === 0 ? only : Buffer.concat([only, ...others]);
    if (!isUtf8(whole)) return { ...location, error: "not valid UTF-8" };
    const text = whole.toString("utf8");
    return text.trim() === "" ? undefined : { ...location, text };
  }
}
