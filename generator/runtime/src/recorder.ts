import { type FileHandle, open } from "node:fs/promises";
import { hasOwn, type JsonCodec } from "./json.ts";
import type { CallRecord, CallRecorder } from "./options.ts";
import { checkOption } from "./time.ts";

/*
 * Redacts bodies for recordings. Only values that the schema describes, and does not mark as secret or personal, are
 * recorded.
 */

/** Which part of a value is recorded. Values of any other form are redacted. */
export type RecordedShape =
  /** A secret, personal data, or `any`. */
  | "hidden"
  | "text"
  | "number"
  | "truth"
  | { readonly struct: string }
  | { readonly list: RecordedShape }
  | { readonly map: RecordedShape }
  /** A list or map that contains itself. */
  | { readonly alias: string };

/** The parts of an API that a recorder needs. Generated. */
export interface RecordedApi {
  readonly schemaHash: string;
  /** By struct name, then by each name that a field has on the wire. */
  readonly structs: Readonly<Record<string, Readonly<Record<string, RecordedShape>>>>;
  /** Recursive aliases, by name. */
  readonly aliases?: Readonly<Record<string, RecordedShape>>;
  /** By path. */
  readonly methods: Readonly<Record<string, { readonly request: string; readonly response: string }>>;
  /** Replaces JSON.parse and JSON.stringify where 64-bit integers are bigints. */
  readonly json?: JsonCodec;
}

/** Replaces a redacted value. Readers of a recording replace it with a sample of the schema. */
const hidden = "[redacted]";

/** Deeper values are redacted. No server accepts them. */
const depthMax = 64;

/**
 * Returns a copy of a body without secrets. Fields that are not in the schema are removed, because they may contain
 * anything.
 */
export function redact(body: unknown, struct: string, { structs, aliases = {} }: RecordedApi): unknown {
  return copy(body, { struct }, 0);

  function copy(value: unknown, shape: RecordedShape, depth: number): unknown {
    // The absence of a value is not a secret.
    if (value === null) return null;
    if (depth > depthMax) return hidden;
    if (typeof shape === "string") return isOfKind(value, shape) ? value : hidden;
    if ("alias" in shape) return copy(value, own(aliases, shape.alias) ?? "hidden", depth);
    if ("list" in shape)
      return Array.isArray(value) ? value.map((item) => copy(item, shape.list, depth + 1)) : hidden;
    if (typeof value !== "object" || Array.isArray(value)) return hidden;
    return "map" in shape ? copyMap(value, shape.map, depth) : copyStruct(value, shape.struct, depth);
  }

  function copyStruct(value: object, name: string, depth: number): object {
    const fields = own(structs, name) ?? {};
    const known = Object.entries(value).flatMap(([key, inner]) => {
      const shape = own(fields, key);
      return shape === undefined ? [] : [[key, copy(inner, shape, depth + 1)] as const];
    });
    return Object.fromEntries(known);
  }

  function copyMap(value: object, shape: RecordedShape, depth: number): object {
    const entries = Object.entries(value).map(([key, inner]) => [key, copy(inner, shape, depth + 1)]);
    return Object.fromEntries(entries);
  }
}

function isOfKind(value: unknown, shape: Extract<RecordedShape, string>): boolean {
  if (shape === "hidden") return false;
  if (shape === "text") return typeof value === "string" || typeof value === "number";
  if (shape === "truth") return typeof value === "boolean" || value === "true" || value === "false";
  return typeof value === "number" || typeof value === "bigint" || isNumeral(value);
}

/** A number as text, which some fields accept. */
function isNumeral(value: unknown): boolean {
  return typeof value === "string" && /^-?[0-9.]{1,400}$/.test(value);
}

/** Schemas and callers may use names such as `constructor`. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return hasOwn(record, name) ? record[name] : undefined;
}

/* Appends lines to a file, up to a size limit. The file always ends with a complete line, even after disk errors. */

export interface RecordingFileOptions {
  /** Largest size of the file, in bytes. */
  readonly maxBytes: number;
  /** Called once, with the reason, when no more lines are written. */
  readonly onStop: (reason: string) => void;
}

export class RecordingFile {
  readonly #path: string;
  readonly #options: RecordingFileOptions;
  #handle: FileHandle | undefined;
  /** Bytes of complete lines. */
  #size = 0;
  #isStopped = false;

  constructor(path: string, options: RecordingFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Appends lines. Never rejects. Do not call it concurrently. */
  async append(lines: readonly string[]): Promise<void> {
    if (this.#isStopped) return;
    try {
      this.#handle ??= await this.#open();
      const bytes = Buffer.from(this.#fitting(lines).join(""));
      await this.#handle.appendFile(bytes);
      this.#size += bytes.length;
    } catch (err) {
      // The disk may have written part of a line.
      await truncateToLastLine(this.#handle).catch(() => {});
      this.#stop(err instanceof Error ? err.message : String(err));
    }
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    await this.#handle?.close().catch(() => {});
  }

  /** Returns the lines that fit into the file. */
  #fitting(lines: readonly string[]): readonly string[] {
    let size = this.#size;
    const over = lines.findIndex((line) => {
      size += Buffer.byteLength(line);
      return size > this.#options.maxBytes;
    });
    if (over === -1) return lines;
    this.#stop(`the file reached its limit of ${this.#options.maxBytes} bytes`);
    return lines.slice(0, over);
  }

  /** Opens the file to continue after its last complete line. Only its owner may read it. */
  async #open(): Promise<FileHandle> {
    const handle = await open(this.#path, "a+", 0o600);
    try {
      if (!(await isRecording(handle))) throw new Error("the file is not a recording");
      this.#size = await truncateToLastLine(handle);
      return handle;
    } catch (err) {
      await handle.close();
      throw err;
    }
  }

  #stop(reason: string): void {
    this.#isStopped = true;
    this.#options.onStop(reason);
  }
}

/** How each line starts. */
const lineStart = Buffer.from('{"service":');

/** Whether a file is empty or starts with a call. Other files are not modified. */
async function isRecording(handle: FileHandle): Promise<boolean> {
  const start = Buffer.alloc(lineStart.length);
  const { bytesRead } = await handle.read(start, 0, start.length, 0);
  return start.subarray(0, bytesRead).equals(lineStart.subarray(0, bytesRead));
}

/** Removes an incomplete last line. Returns the remaining size in bytes. */
async function truncateToLastLine(handle: FileHandle | undefined): Promise<number> {
  if (handle === undefined) return 0;
  const size = await wholeLines(handle);
  await handle.truncate(size);
  return size;
}

/** Returns the size of all complete lines, in bytes. */
async function wholeLines(handle: FileHandle): Promise<number> {
  let { size } = await handle.stat();
  const part = Buffer.alloc(64 * 1024);
  while (size > 0) {
    const from = Math.max(0, size - part.length);
    const { bytesRead } = await handle.read(part, 0, size - from, from);
    const end = part.subarray(0, bytesRead).lastIndexOf("\n");
    if (end !== -1) return from + end + 1;
    size = from;
  }
  return 0;
}

/*
 * Writes the calls of a server to a file, one line of JSON each, for `ridlkit test --recording` and
 * `ridlkit breaking --replay`.
 *
 * Headers, values that the schema marks as secret or personal, and fields that are not in the schema are not recorded.
 * Recording never delays or fails a call: if the disk is slow, calls are dropped and counted, and if it is full, the
 * recording ends with a message.
 */

/** Options of `createRecorder`. */
export interface RecorderOptions {
  /** Largest size of the file, in bytes. Default 64 MiB, about 100,000 calls. */
  readonly maxBytes?: number;
  /** Receives messages about dropped calls and about a recording that ended early. Default: a process warning. */
  readonly tell?: (message: string) => void;
}

const defaultMaxBytes = 64 * 1024 * 1024;

/** Limit of calls waiting to be written, in characters. A blocked disk costs this much memory. */
const pendingMaxLength = 8_000_000;

/** Longest body that is recorded, in characters. Redacting a longer one would block other calls for milliseconds. */
const bodyMaxLength = 256 * 1024;

/** How much is redacted before other calls get their turn, in characters. */
const batchMaxLength = 64 * 1024;

/** How long closing waits for pending calls, in milliseconds. */
const closeMaxMs = 1_000;

/** Records calls in a file. Pass it to `createServer` as `recorder`, and dispose it when the server stops. */
export class Recorder implements CallRecorder, AsyncDisposable {
  readonly #api: RecordedApi;
  readonly #file: RecordingFile;
  readonly #tell: (message: string) => void;
  /** Calls that are not written yet. */
  #calls: PendingCall[] = [];
  #pendingLength = 0;
  #lost = 0;
  #hasEnded = false;
  #writing: Promise<void> | undefined;

  /** @throws RangeError if `maxBytes` is not a number from 0. */
  constructor(path: string, api: RecordedApi, { maxBytes = defaultMaxBytes, tell }: RecorderOptions = {}) {
    checkOption("maxBytes", maxBytes);
    this.#api = api;
    this.#tell = tell ?? ((message) => process.emitWarning(message));
    this.#file = new RecordingFile(path, {
      maxBytes,
      onStop: (reason) => this.#end(`the recording ${path} ended early: ${reason}`),
    });
  }

  /** Number of calls that were not recorded because the disk was too slow. */
  get lost(): number {
    return this.#lost;
  }

  record(call: CallRecord): void {
    if (this.#hasEnded) return;
    const size = sizeOf(call);
    if (this.#pendingLength + size > pendingMaxLength) {
      this.#lost++;
      return;
    }
    this.#calls.push({ call, size, at: Date.now() });
    this.#pendingLength += size;
    this.#writing ??= this.#writeAll();
  }

  /** Settles when all calls recorded so far are written. */
  async written(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** Closes the file. Waits for pending calls, but at most one second. */
  async [Symbol.asyncDispose](): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, closeMaxMs).unref());
    await Promise.race([this.written(), late]);
    const lost = this.#lost + this.#calls.length;
    if (lost > 0) this.#tell(`${lost} calls were not recorded: the disk was too slow`);
    this.#hasEnded = true;
    this.#calls = [];
    await this.#file.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#calls.length > 0) {
      // Lets the server send pending responses first.
      await new Promise((resolve) => setImmediate(resolve));
      const [calls, size] = this.#nextBatch();
      await this.#file.append(calls.map((waiting) => lineOf(waiting, this.#api)));
      this.#pendingLength -= size;
    }
    this.#writing = undefined;
  }

  #nextBatch(): readonly [readonly PendingCall[], number] {
    let [count, size] = [0, 0];
    while (count < this.#calls.length && (count === 0 || size < batchMaxLength))
      size += this.#calls[count++]?.size ?? 0;
    const turn = this.#calls.slice(0, count);
    this.#calls = this.#calls.slice(count);
    return [turn, size];
  }

  #end(message: string): void {
    this.#hasEnded = true;
    this.#calls = [];
    this.#tell(message);
  }
}

interface PendingCall {
  readonly call: CallRecord;
  readonly size: number;
  /** When the call ended, in milliseconds since 1970. */
  readonly at: number;
}

function sizeOf({ request = "", answer = "", items = [] }: CallRecord): number {
  return 200 + request.length + answer.length + items.reduce((sum, { length }) => sum + length, 0);
}

/** `{"service":"Shop","method":"GetOrder","at":"…","ms":3,"schema":"…","request":{…},"status":200,"answer":{…}}` */
function lineOf({ call, at }: PendingCall, api: RecordedApi): string {
  const { method, status, error, durationMs } = call;
  const types = api.methods[method.path] ?? { request: "", response: "" };
  const left: Record<string, string> = {};
  const parts: string[] = [
    `"service":${JSON.stringify(method.service)}`,
    `"method":${JSON.stringify(method.name)}`,
    `"at":${JSON.stringify(new Date(at - durationMs).toISOString())}`,
    `"ms":${Math.round(durationMs * 1_000) / 1_000}`,
    `"schema":${JSON.stringify(api.schemaHash)}`,
  ];
  const add = (name: string, text: string | undefined, struct: string): void => {
    const body = bodyOf(text, struct, api);
    if ("json" in body) parts.push(`${JSON.stringify(name)}:${body.json}`);
    else left[name] = body.why;
  };
  add("request", call.request, types.request);
  parts.push(`"status":${status}`);
  if (call.items !== undefined) {
    const items = call.items.map((item) => bodyOf(item, types.response, api));
    parts.push(`"items":[${items.flatMap((item) => ("json" in item ? [item.json] : [])).join(",")}]`);
  } else if (call.isFile) parts.push('"file":true');
  else if (error === undefined) add("answer", call.answer, types.response);
  if (error !== undefined) {
    // The cause may quote the request.
    const { name, code, message: msg, status: own } = error;
    parts.push(`"error":${JSON.stringify({ error: name, code, msg, status: own })}`);
  }
  if (Object.keys(left).length > 0) parts.push(`"left":${JSON.stringify(left)}`);
  return `{${parts.join(",")}}\n`;
}

const plainJson: JsonCodec = { parse: JSON.parse, print: JSON.stringify };

/** Returns a body as recorded JSON, or the reason why it is not recorded. */
function bodyOf(
  text: string | undefined,
  struct: string,
  api: RecordedApi,
): { readonly json: string } | { readonly why: string } {
  if (text === undefined) return { why: "not read" };
  if (text.length > bodyMaxLength) return { why: `longer than ${bodyMaxLength} characters` };
  const { parse, print } = api.json ?? plainJson;
  try {
    const body: unknown = text === "" ? {} : parse(text);
    if (typeof body !== "object" || body === null || Array.isArray(body)) return { why: "not an object" };
    return { json: print(redact(body, struct, api)) };
  } catch {
    return { why: "not JSON" };
  }
}
