import { type FileHandle, open } from "node:fs/promises";
import { hasOwn, type JsonForm } from "./common.ts";
import type { CallRecord, CallRecorder } from "./server.ts";

/* What of the calls of an API may stand in a recording, by its schema. What the schema does not name, or names as hidden, may not. */

/** What of a value is recorded. What does not have this form is hidden as a whole. */
export type RecordedShape =
  /** A secret, personal data, or anything at all. */
  | "hidden"
  | "text"
  | "number"
  | "truth"
  | { readonly struct: string }
  | { readonly list: RecordedShape }
  | { readonly map: RecordedShape }
  /** Of a list or map that holds itself. */
  | { readonly alias: string };

/** An API as a recorder sees it; generated. */
export interface RecordedApi {
  readonly schemaHash: string;
  /** By name, and then by each name that a field has on the wire. */
  readonly structs: Readonly<Record<string, Readonly<Record<string, RecordedShape>>>>;
  /** Those that hold themselves, by name. */
  readonly aliases?: Readonly<Record<string, RecordedShape>>;
  /** By path. */
  readonly methods: Readonly<Record<string, { readonly request: string; readonly response: string }>>;
  /** Where integers of 64 bits are bigints. Default: JSON as JavaScript has it. */
  readonly json?: JsonForm;
}

/** Stands where a value is left out of a recording. Who reads it puts a value of the schema there. */
const hidden = "[redacted]";

/** Deeper values are hidden: no server reads them. */
const depthMax = 64;

/** A copy of a body that is fit for a recording. Fields that the schema does not know are left out, since nobody can say what they hold. */
export function redacted(body: unknown, struct: string, { structs, aliases = {} }: RecordedApi): unknown {
  return copy(body, { struct }, 0);

  function copy(value: unknown, shape: RecordedShape, depth: number): unknown {
    // That there is nothing is no secret.
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

/** Digits in quotes, as some fields are read. */
function isNumeral(value: unknown): boolean {
  return typeof value === "string" && /^-?[0-9.]{1,400}$/.test(value);
}

/** Names come from the schema and from callers: `constructor` is a name like any other. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return hasOwn(record, name) ? record[name] : undefined;
}

/* A file that lines are added to in the background, up to a size. It ends with a whole line, whatever happens to the disk. */

export interface RecordingFileOptions {
  /** Largest size of the file, in bytes. */
  readonly maxBytes: number;
  /** Told once, with the reason, when nothing more is written. */
  readonly onStop: (reason: string) => void;
}

export class RecordingFile {
  readonly #path: string;
  readonly #options: RecordingFileOptions;
  #handle: FileHandle | undefined;
  /** Bytes of whole lines. */
  #size = 0;
  #isStopped = false;

  constructor(path: string, options: RecordingFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Never rejects. One call at a time. */
  async append(lines: readonly string[]): Promise<void> {
    if (this.#isStopped) return;
    try {
      this.#handle ??= await this.#open();
      const bytes = Buffer.from(this.#fitting(lines).join(""));
      await this.#handle.appendFile(bytes);
      this.#size += bytes.length;
    } catch (err) {
      // The disk may have taken a part of a line.
      await cutOff(this.#handle).catch(() => {});
      this.#stop(err instanceof Error ? err.message : String(err));
    }
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    await this.#handle?.close().catch(() => {});
  }

  /** As many of them as there is room for. */
  #fitting(lines: readonly string[]): readonly string[] {
    let size = this.#size;
    const over = lines.findIndex((line) => {
      size += Buffer.byteLength(line);
      return size > this.#options.maxBytes;
    });
    if (over === -1) return lines;
    this.#stop(`it has the ${this.#options.maxBytes} bytes that it may have`);
    return lines.slice(0, over);
  }

  /** Goes on behind the last whole line of what is there. Nobody but the owner may read it. */
  async #open(): Promise<FileHandle> {
    const handle = await open(this.#path, "a+", 0o600);
    if (await isRecording(handle)) {
      this.#size = await cutOff(handle);
      return handle;
    }
    await handle.close();
    throw new Error("it has something else in it than calls");
  }

  #stop(reason: string): void {
    this.#isStopped = true;
    this.#options.onStop(reason);
  }
}

/** How each line begins. */
const lineStart = Buffer.from('{"service":');

/** Whether it is empty or begins with a call: no other file is cut off or added to. */
async function isRecording(handle: FileHandle): Promise<boolean> {
  const start = Buffer.alloc(lineStart.length);
  const { bytesRead } = await handle.read(start, 0, start.length, 0);
  return start.subarray(0, bytesRead).equals(lineStart.subarray(0, bytesRead));
}

/** Takes away what stands behind the last line end, and tells what is left, in bytes. */
async function cutOff(handle: FileHandle | undefined): Promise<number> {
  if (handle === undefined) return 0;
  const size = await wholeLines(handle);
  await handle.truncate(size);
  return size;
}

/** Bytes up to the last line end. */
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
 * Writes the calls of a server to a file, a line of JSON each, for `ridlkit test --recording` and `ridlkit breaking --replay`. What
 * the schema marks as secret or personal is not in it, nor a header, nor what the schema does not know. No call waits for it or
 * fails by it: where the disk is slow lines are lost, which are counted, and where it is full the recording ends with a word.
 */

export interface RecorderOptions {
  /** Largest size of the file, in bytes. Default 64 MiB: some 100,000 calls. */
  readonly maxBytes?: number;
  /** Told why the recording has ended before it was closed, and of calls that were lost. Default: a warning of the process. */
  readonly tell?: (words: string) => void;
}

const defaultMaxBytes = 64 * 1024 * 1024;

/** Most text of calls that waits to be written, in characters: a disk that stands still costs this much memory. */
const waitingMax = 8_000_000;

/** A longer body is not recorded: taking it apart would hold up other calls for milliseconds. In characters. */
const bodyMax = 256 * 1024;

/** Text that is worked on before other calls have their turn, in characters. */
const turnMax = 64 * 1024;

/** Longest wait for what is not written yet, in milliseconds, when it is closed. */
const closeMaxMs = 1_000;

export class Recorder implements CallRecorder, AsyncDisposable {
  readonly #api: RecordedApi;
  readonly #file: RecordingFile;
  readonly #tell: (words: string) => void;
  /** Those that are not written. */
  #calls: Waiting[] = [];
  #waiting = 0;
  #lost = 0;
  #isOver = false;
  #writing: Promise<void> | undefined;

  constructor(path: string, api: RecordedApi, { maxBytes = defaultMaxBytes, tell }: RecorderOptions = {}) {
    this.#api = api;
    this.#tell = tell ?? ((words) => process.emitWarning(words));
    this.#file = new RecordingFile(path, {
      maxBytes,
      onStop: (reason) => this.#end(`the recording ${path} has ended: ${reason}`),
    });
  }

  /** Calls that were not recorded because the disk was too slow. */
  get lost(): number {
    return this.#lost;
  }

  record(call: CallRecord): void {
    if (this.#isOver) return;
    const size = sizeOf(call);
    if (this.#waiting + size > waitingMax) {
      this.#lost++;
      return;
    }
    this.#calls.push({ call, size, at: Date.now() });
    this.#waiting += size;
    this.#writing ??= this.#writeAll();
  }

  /** Settles when all that was recorded is written. */
  async written(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** Waits for what was recorded so far, but not for ever. */
  async [Symbol.asyncDispose](): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, closeMaxMs).unref());
    await Promise.race([this.written(), late]);
    const lost = this.#lost + this.#calls.length;
    if (lost > 0) this.#tell(`${lost} calls were not recorded: the disk was too slow`);
    this.#isOver = true;
    this.#calls = [];
    await this.#file.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#calls.length > 0) {
      // The answers of this turn go out first.
      await new Promise((resolve) => setImmediate(resolve));
      const [calls, size] = this.#turn();
      await this.#file.append(calls.map((waiting) => lineOf(waiting, this.#api)));
      this.#waiting -= size;
    }
    this.#writing = undefined;
  }

  #turn(): readonly [readonly Waiting[], number] {
    let [count, size] = [0, 0];
    while (count < this.#calls.length && (count === 0 || size < turnMax))
      size += this.#calls[count++]?.size ?? 0;
    const turn = this.#calls.slice(0, count);
    this.#calls = this.#calls.slice(count);
    return [turn, size];
  }

  #end(words: string): void {
    this.#isOver = true;
    this.#calls = [];
    this.#tell(words);
  }
}

interface Waiting {
  readonly call: CallRecord;
  readonly size: number;
  /** When the call ended. */
  readonly at: number;
}

function sizeOf({ request = "", answer = "", items = [] }: CallRecord): number {
  return 200 + request.length + answer.length + items.reduce((sum, { length }) => sum + length, 0);
}

/** `{"service":"Shop","method":"GetOrder","at":"…","ms":3,"schema":"…","request":{…},"status":200,"answer":{…}}` */
function lineOf({ call, at }: Waiting, api: RecordedApi): string {
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
    // Its cause may quote what was sent.
    const { name, code, message: msg, status: own } = error;
    parts.push(`"error":${JSON.stringify({ error: name, code, msg, status: own })}`);
  }
  if (Object.keys(left).length > 0) parts.push(`"left":${JSON.stringify(left)}`);
  return `{${parts.join(",")}}\n`;
}

const plainJson: JsonForm = { parse: JSON.parse, print: JSON.stringify };

/** A body as it is recorded, or why it is not. */
function bodyOf(
  text: string | undefined,
  struct: string,
  api: RecordedApi,
): { readonly json: string } | { readonly why: string } {
  if (text === undefined) return { why: "not read" };
  if (text.length > bodyMax) return { why: `longer than ${bodyMax} characters` };
  const { parse, print } = api.json ?? plainJson;
  try {
    const body: unknown = text === "" ? {} : parse(text);
    if (typeof body !== "object" || body === null || Array.isArray(body)) return { why: "no object" };
    return { json: print(redacted(body, struct, api)) };
  } catch {
    return { why: "no JSON" };
  }
}
