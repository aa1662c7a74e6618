import { isUtf8 } from "node:buffer";
import { createGunzip } from "node:zlib";

/** The type of the file is not supported. The message names the type. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/** Yields the entries of a file of NDJSON or of one JSON array, plain or compressed by gzip, grouped by chunk. */
export async function* readEntries(bytes: AsyncIterable<Buffer>): AsyncIterable<Iterable<Entry>> {
  let splitter: Splitter | undefined;
  let blankLines = 0;
  for await (const chunk of withoutByteOrderMark(decompressed(bytes))) {
    splitter ??= splitterFor(chunk, blankLines);
    if (splitter !== undefined) yield splitter.push(chunk);
    else blankLines += countLines(chunk);
  }
  if (splitter !== undefined) yield splitter.end();
}

/** Undefined if the chunk is blank. */
function splitterFor(chunk: Buffer, blankLines: number): Splitter | undefined {
  const first = chunk.find((byte) => byte > 0x20);
  if (first === undefined) return undefined;
  const firstLine = blankLines + 1;
  return first === "[".charCodeAt(0) ? new ArraySplitter(firstLine) : new LineSplitter(firstLine);
}

async function* decompressed(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  // Collects enough bytes to detect the type; a pipe may yield one byte at a time.
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    head = Buffer.concat([head, next.value]);
    if (head.length >= 4) break;
  }
  const whole = async function* (): AsyncIterable<Buffer> {
    yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  const format = formats.find(({ magic }) => head.subarray(0, magic.length).equals(Buffer.from(magic)));
  if (format === undefined) yield* whole();
  else if (format.name === "gzip") yield* gunzipped(whole());
  else throw new UnreadableFile(`this is ${format.name}, not NDJSON or JSON in UTF-8; ${format.hint}`);
}

const formats = [
  { name: "gzip", magic: [0x1f, 0x8b], hint: "" },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd], hint: "decompress it first: zstd -dc" },
  { name: "zip", magic: [0x50, 0x4b, 0x03, 0x04], hint: "decompress it first: unzip -p" },
  { name: "bzip2", magic: [0x42, 0x5a, 0x68], hint: "decompress it first: bzip2 -dc" },
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58], hint: "decompress it first: xz -dc" },
  { name: "UTF-16", magic: [0xff, 0xfe], hint: "convert it first: iconv -f UTF-16 -t UTF-8" },
  { name: "UTF-16", magic: [0xfe, 0xff], hint: "convert it first: iconv -f UTF-16 -t UTF-8" },
] as const;

async function* gunzipped(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip();
  const feeding = (async () => {
    for await (const chunk of bytes) {
      if (!gunzip.write(chunk)) await new Promise((done) => gunzip.once("drain", done));
    }
    gunzip.end();
  })();
  feeding.catch((err: Error) => gunzip.destroy(err));
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (err) {
    throw new UnreadableFile(
      `the gzip file cannot be decompressed: ${err instanceof Error ? err.message : String(err)}`,
    );
  }
}

/** Removes the byte order mark of UTF-8. */
async function* withoutByteOrderMark(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let isFirst = true;
  for await (const chunk of bytes) {
    const hasMark = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    isFirst = false;
    yield hasMark ? chunk.subarray(3) : chunk;
  }
}

const newline = 0x0a;

function countLines(chunk: Buffer): number {
  return chunk.filter((byte) => byte === newline).length;
}

/** Splits NDJSON into lines. Skips blank lines. */
class LineSplitter implements Splitter {
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
class ArraySplitter implements Splitter {
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
interface Splitter {
  push(chunk: Buffer): Iterable<Entry>;
  end(): Iterable<Entry>;
}

/** Largest entry, in bytes: three documents of 2 MiB, with room to spare. Larger ones are never held in memory. */
const maxEntryBytes = 8_388_608;

/** Collects the chunks of one entry. Beyond the limit they are counted and dropped. */
class EntryBuffer {
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
