/**
 * Writes the calls of a server to a file, one line of JSON each, for `ridlkit test --recording` and
 * `ridlkit breaking --replay`.
 *
 * Headers, values that the schema marks as secret or personal, and fields that are not in the schema are not recorded.
 * Recording never delays or fails a call: if the disk is slow, calls are dropped and counted, and if it is full, the
 * recording ends with a message.
 */
import type { CallRecord, CallRecorder } from "./hooks.ts";
import type { JsonCodec } from "./json-codec.ts";
import { type RecordedApi, redact } from "./recorded-api.ts";
import { RecordingFile } from "./recording-file.ts";

/** Options of `openRecorder`. */
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

  constructor(path: string, api: RecordedApi, { maxBytes = defaultMaxBytes, tell }: RecorderOptions = {}) {
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
