import { createGunzip } from "node:zlib";
import { ArraySplitter } from "./array-splitter.ts";
import { type Entry, EntryBuffer, type Splitter } from "./entry.ts";

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
