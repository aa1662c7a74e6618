import { type Issue, issue, pointerOf } from "./errors.ts";
import { fileNameIn, type HeaderValues, joinHeaders } from "./headers.ts";
import { hasOwn, isObject, parseInt64Json, printInt64Json } from "./json.ts";
import {
  type McpApi,
  type McpFile,
  type McpMethod,
  requestValue,
  type Selection,
  selectedValue,
  visibleValue,
} from "./mcp-api.ts";
import { callAfter, numberOptions, onAbort } from "./time.ts";
import { readBounded } from "./transport.ts";

/* Shortens values that are too large for the context of an agent. */

/** A value that fits, and what was cut: `/orders: 12 of 500 items`. */
interface CutValue {
  readonly text: string;
  readonly cuts: readonly string[];
}

interface Bounds {
  /** Most items of a list, and most entries of an object. */
  readonly items: number;
  /** Most characters of a text. */
  readonly characters: number;
  readonly levels: number;
  /** How many characters may be added. Below 0, the value does not fit, and the rest of it is not visited. */
  readonly remaining: { characters: number };
}

const unbounded = Number.POSITIVE_INFINITY;

type Attempt = Pick<Bounds, "characters" | "levels">;

/** Tried in this order until the value fits. Within each, as many items as possible are kept. */
const attempts: readonly Attempt[] = [
  { characters: 4_000, levels: unbounded },
  { characters: 500, levels: unbounded },
  { characters: 100, levels: unbounded },
  { characters: 100, levels: 4 },
  { characters: 40, levels: 2 },
];

/** Fewer items than this, and the next attempt follows, except for the last one. */
const itemsMin = 3;

/** Prints a value as JSON of at most `maxBytes` bytes. What is left out is left out whole, so the JSON stays valid. */
export function cutJson(value: unknown, maxBytes: number): CutValue {
  const whole = printInt64Json(value) ?? "null";
  if (byteLength(whole) <= maxBytes) return { text: whole, cuts: [] };
  const longest = longestList(value);
  for (const attempt of attempts) {
    const fitting = mostItems(value, attempt, longest, maxBytes);
    if (fitting !== undefined && (fitting.items >= Math.min(itemsMin, longest) || attempt.characters <= 100))
      return fitting;
  }
  return { text: "null", cuts: ["/: everything"] };
}

function mostItems(
  value: unknown,
  attempt: Attempt,
  longest: number,
  maxBytes: number,
): (CutValue & { readonly items: number }) | undefined {
  let low = 0;
  // Each item has at least two characters.
  let high = Math.min(longest, Math.ceil(maxBytes / 2));
  let best: (CutValue & { readonly items: number }) | undefined;
  while (low <= high) {
    const items = Math.floor((low + high) / 2);
    const cuts: string[] = [];
    const remaining = { characters: maxBytes };
    const cut = cutValue(value, { ...attempt, items, remaining }, [], cuts);
    const text = remaining.characters < 0 ? undefined : printInt64Json(cut);
    if (text !== undefined && byteLength(text) <= maxBytes) {
      best = { text, cuts, items };
      low = items + 1;
    } else high = items - 1;
  }
  return best;
}

function cutValue(
  value: unknown,
  bounds: Bounds,
  path: readonly (string | number)[],
  cuts: string[],
): unknown {
  const { items, characters, levels, remaining } = bounds;
  if (remaining.characters < 0) return null;
  const note = (text: string): void => void cuts.push(`${pointerOf(path) || "/"}: ${text}`);
  if (typeof value === "string") {
    remaining.characters -= Math.min(value.length, characters) + 2;
    if (value.length <= characters) return value;
    note(`${characters} of ${value.length} characters`);
    // Half of a surrogate pair would not be valid text.
    return `${value.slice(0, characters).replace(/[\ud800-\udbff]$/, "")}…`;
  }
  remaining.characters -= 1;
  if (typeof value !== "object" || value === null) return value;
  const inner = { ...bounds, levels: levels - 1 };
  if (Array.isArray(value)) {
    if (value.length > items) note(`${items} of ${value.length} items`);
    return value.slice(0, items).map((item, index) => cutValue(item, inner, [...path, index], cuts));
  }
  const all = Object.entries(value);
  if (levels <= 0 && all.length > 0) {
    note("all fields");
    return {};
  }
  // Fields of a struct are kept while lists are short enough; objects with many keys are maps.
  const kept = all.length > Math.max(items, structFieldsMax) ? all.slice(0, Math.max(items, 1)) : all;
  if (kept.length < all.length) note(`${kept.length} of ${all.length} entries`);
  return Object.fromEntries(
    kept.map(([key, item]) => {
      remaining.characters -= key.length + 3;
      return [key, cutValue(item, inner, [...path, key], cuts)] as const;
    }),
  );
}

/** Objects with more keys than this are cut like lists. */
const structFieldsMax = 60;

function longestList(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const items = Object.values(value);
  return items.reduce<number>((longest, item) => Math.max(longest, longestList(item)), items.length);
}

/** Most cuts that are listed. */
const listedMax = 8;

/** Describes what was cut, for the agent. */
export function describeCuts({ cuts }: CutValue, maxBytes: number, advice: string): string {
  const byPlace = new Map(cuts.map((cut) => [cut.replace(/\/[0-9]+(?=[/:])/g, "/*"), cut]));
  const listed = [...byPlace.keys()].slice(0, listedMax);
  const more = byPlace.size - listed.length;
  const list = listed.join("; ") + (more > 0 ? `; and ${more} more` : "");
  return `Cut to ${maxBytes} bytes. Kept ${list}. ${advice}`;
}

const encoder = /* @__PURE__ */ new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}

/* Settings of an MCP server. */

/** What answers the calls: the URL of an API, or a handler in the same process: `fetchHandler(server)`. */
export type McpTarget = string | ((request: Request) => Response | Promise<Response>);

export interface McpOptions {
  /**
   * The methods that agents can find and call: all, those with `@mcp`, those that change nothing, or a choice of your own.
   * Default "all". Methods with `@internal` or `@mcp:off` are never among them.
   */
  readonly expose?: "all" | "marked" | "readonly" | ((method: McpMethod) => boolean);
  /**
   * Headers of each call, such as credentials. `request` is the HTTP request of the agent; undefined over stdio. Default: the
   * agent's `Authorization` for a handler, and none for a URL, because credentials for this server are not meant for others.
   */
  readonly headers?: (request: Request | undefined) => HeaderValues | Promise<HeaderValues>;
  /** Largest answer in bytes. Larger ones are cut. At least 1,000. Default 20,000, about 6,000 tokens. */
  readonly maxBytes?: number;
  /** Most items that a call of a stream returns. Default 20. */
  readonly maxItems?: number;
  /** How long a call of a stream waits for items, in milliseconds. Default 5,000. */
  readonly streamMs?: number;
  /** Largest file that is sent to the agent, in bytes. Of others it gets name, type and size. Default 256 KiB. */
  readonly fileMaxBytes?: number;
  /** How long a call may take, in milliseconds. Default 30,000. 0: no limit. */
  readonly timeoutMs?: number;
  /** Called with errors that agents do not see, such as those of the network. */
  readonly onError?: (error: unknown) => void;
}

export type McpSettings = Required<Omit<McpOptions, "expose" | "headers">> & Pick<McpOptions, "headers">;

const defaultNumbers = {
  maxBytes: 20_000,
  maxItems: 20,
  streamMs: 5_000,
  fileMaxBytes: 256 * 1024,
  timeoutMs: 30_000,
};

/** @throws RangeError if a time or a limit is not a number from 0. */
export function mcpSettings({ headers, onError = () => {}, ...given }: McpOptions): McpSettings {
  const numbers = numberOptions(defaultNumbers, given);
  const maxBytes = Math.max(numbers.maxBytes, maxBytesMin);
  return { ...numbers, maxBytes, onError, ...(headers && { headers }) };
}

const maxBytesMin = 1_000;

/** Returns the methods that agents can see, in the order of the schema. */
export function exposedMethods(
  methods: readonly McpMethod[],
  { expose = "all" }: McpOptions,
): readonly McpMethod[] {
  if (expose === "all") return methods;
  if (expose === "marked") return methods.filter(({ isMarked }) => isMarked);
  return methods.filter(expose === "readonly" ? ({ isRead }) => isRead : expose);
}

/* Builds the HTTP request of an agent's call. */

type RequestFields = Readonly<Record<string, unknown>>;

/** The parts of a request that depend on the call. `path` has the query. */
interface McpCallRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

/** Most bytes of all files of a request. Agents write base64 token by token, and SDKs accept messages of 4 MiB. */
export const uploadMaxBytes: number = 1024 * 1024;

/** Returns the request of a call, or the issues of its arguments. */
export function callRequest(
  api: McpApi,
  method: McpMethod,
  sent: unknown = {},
): McpCallRequest | readonly Issue[] {
  const given = typeof sent === "string" ? parsedRequest(sent) : sent;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return [issue([], "an object", Array.isArray(given) ? "a list" : (JSON.stringify(given) ?? "nothing"))];
  const issues: Issue[] = [];
  const { files = [], verb = "POST", query } = method;
  const taken = takeFiles(given as RequestFields, files, issues);
  const pointers = files.map(({ name, within }) => pointerOf(within === undefined ? [name] : [within, name]));
  const fields = requestValue(api, method.request, taken.fields, issues, new Set(pointers)) as RequestFields;
  const path = method.path.replace(/\{(\w+)\}/g, (_parameter, name: string) =>
    segmentOf(fields, name, issues),
  );
  if (issues.length > 0) return issues;
  if (query !== undefined) {
    const search = query.flatMap((field) => {
      const [name, inQuery] = typeof field === "string" ? [field, field] : field;
      return queryPairs(inQuery, hasOwn(fields, name) ? fields[name] : undefined);
    });
    return { path: search.length === 0 ? path : `${path}?${search.join("&")}`, method: verb, headers: {} };
  }
  const json = printInt64Json(fields);
  if (files.length === 0)
    return { path, method: verb, headers: { "Content-Type": "application/json" }, body: json };
  const form = new FormData();
  form.append("json", json);
  for (const { name, file, fileName } of taken.files) form.append(name, file, fileName);
  return { path, method: verb, headers: {}, body: form };
}

/** Some clients send objects as their JSON. Text that is none stays text, which is reported. */
function parsedRequest(text: string): unknown {
  try {
    return parseInt64Json(text);
  } catch {
    return text;
  }
}

/** URLs drop the segments `.` and `..`, however they are encoded. */
function segmentOf(fields: RequestFields, name: string, issues: Issue[]): string {
  const text = hasOwn(fields, name) ? `${fields[name] ?? ""}` : "";
  if (text === "" || text === "." || text === "..")
    issues.push(
      issue([name], 'text other than "", "." and ".."', text === "" ? "nothing" : JSON.stringify(text)),
    );
  return encodeURIComponent(text);
}

function queryPairs(name: string, value: unknown): readonly string[] {
  return [value]
    .flat()
    .filter((item) => item !== undefined && item !== null)
    .map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(`${item}`)}`);
}

interface TakenFiles {
  /** With null for each file, as servers expect it. */
  readonly fields: RequestFields;
  readonly files: readonly { readonly name: string; readonly file: Blob; readonly fileName: string }[];
}

function takeFiles(given: RequestFields, files: readonly McpFile[], issues: Issue[]): TakenFiles {
  const fields: Record<string, unknown> = { ...given };
  const taken: TakenFiles["files"][number][] = [];
  let bytes = 0;
  for (const { name, within } of files) {
    if (within !== undefined) fields[within] = { ...(fields[within] as RequestFields | undefined) };
    const holder = within === undefined ? fields : (fields[within] as Record<string, unknown>);
    const path = within === undefined ? [name] : [within, name];
    const value = holder[name];
    if (value === undefined || value === null) continue;
    const list = [value].flat();
    list.forEach((item, index) => {
      const file = fileOf(item);
      if (file === undefined)
        issues.push(
          issue(
            Array.isArray(value) ? [...path, index] : path,
            "a file: { name, type?, text? or base64? }",
            "another value",
          ),
        );
      else {
        bytes += file.blob.size;
        taken.push({ name, file: file.blob, fileName: file.name });
      }
    });
    holder[name] = Array.isArray(value) ? value.map(() => null) : null;
    if (bytes > uploadMaxBytes)
      issues.push(issue(path, `files of at most ${uploadMaxBytes} bytes in total`, `${bytes} bytes`));
  }
  return { fields, files: taken };
}

function fileOf(value: unknown): { readonly blob: Blob; readonly name: string } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name = "file", type = "", text, base64 } = value as RequestFields;
  if (typeof name !== "string" || typeof type !== "string") return undefined;
  if (typeof text === "string" && base64 === undefined) return { blob: new Blob([text], { type }), name };
  if (typeof base64 !== "string" || text !== undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return { blob: new Blob([bytes], { type }), name };
  } catch {
    return undefined;
  }
}

/* Reads HTTP responses for agents. */

/** An error as agents get it. */
export interface McpFailure {
  readonly name: string;
  /** Codes of the schema are above 0, those of the protocol up to 0. Undefined: no server responded. */
  readonly code?: number;
  /** HTTP status. */
  readonly status?: number;
  readonly message: string;
  /** The invalid values, with JSON pointers into the request. */
  readonly issues?: readonly { readonly pointer: string; readonly message: string }[];
  readonly data?: unknown;
}

export class McpCallError extends Error {
  readonly failure: McpFailure;

  constructor(failure: McpFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Reports arguments that cannot be sent. */
function invalidRequest(issues: readonly Issue[]): McpCallError {
  return new McpCallError({
    name: "InvalidRequest",
    message: "The request was not sent, because it is invalid.",
    issues: issues.map(({ path, message }) => ({ pointer: pointerOf(path), message })),
  });
}

/** Longest response that is read, in bytes. */
const responseMaxBytes = 8 * 1024 * 1024;

/** Returns the JSON of a successful response, with bigints for integers beyond ±(2^53 - 1). */
export async function readJson(response: Response): Promise<unknown> {
  return objectOf(await readBounded(response.body, responseMaxBytes), response.status);
}

function objectOf(text: string, status: number): unknown {
  try {
    const value = parseInt64Json(text);
    if (isObject(value)) return value;
  } catch {
    // Not JSON: the text could come from a proxy, and say anything.
  }
  throw new McpCallError({
    name: "InvalidResponse",
    status,
    message: `The API responded with HTTP ${status}, and with a body that is not a JSON object or is larger than ${responseMaxBytes} bytes.`,
  });
}

/** Returns the error that an error response describes. */
async function readFailure(response: Response, dataOf: DataReader): Promise<McpCallError> {
  const { status } = response;
  try {
    return failureOf(await readJson(response), status, dataOf);
  } catch (thrown) {
    if (thrown instanceof McpCallError) return thrown;
    throw thrown;
  }
}

interface WireError {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly msg?: unknown;
  readonly cause?: unknown;
  readonly status?: unknown;
  readonly issues?: unknown;
  readonly data?: unknown;
}

/** Returns the part of an error's data that agents may see. */
type DataReader = (error: string, data: unknown) => unknown;

function dataReader({ api, settings }: McpCall): DataReader {
  return (error, data) => {
    const type = hasOwn(api.errors, error) ? api.errors[error]?.data : undefined;
    if (type === undefined || !isObject(data)) return undefined;
    return parseInt64Json(cutJson(visibleValue(api, type, data), settings.maxBytes).text);
  };
}

/** Errors with causes that describe the request. Causes of other errors may describe the inside of a server. */
const badRequestCode = -4;

function failureOf(value: unknown, status: number, dataOf: DataReader): McpCallError {
  const { error, code, msg, cause, issues, data: given } = value as WireError;
  if (typeof code !== "number" || typeof error !== "string")
    return new McpCallError({
      name: "InvalidResponse",
      status,
      message: `The API responded with HTTP ${status}, and with a body that is not an error of the API.`,
    });
  const listed = Array.isArray(issues) ? issues.filter(isIssue) : [];
  const hasCause = code === badRequestCode && typeof cause === "string" && listed.length === 0;
  const message = typeof msg === "string" ? msg : error;
  const data = dataOf(error, given);
  return new McpCallError({
    name: error,
    code,
    status,
    message: hasCause ? `${message}: ${cause.slice(0, causeMaxLength)}` : message,
    ...(listed.length > 0 && {
      issues: listed.map(({ path, message: text }) => ({ pointer: pointerOf(path), message: text })),
    }),
    ...(data !== undefined && { data }),
  });
}

const causeMaxLength = 500;

function isIssue(value: Partial<Issue> | null): value is Issue {
  return typeof value?.message === "string" && Array.isArray(value.path);
}

/** Reads the bytes of a body, and closes it when the loop is left. */
async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The first items of a stream. */
interface McpItems {
  readonly items: readonly unknown[];
  readonly end: "ended" | "more" | "failed";
  readonly error?: McpFailure;
}

/** Reads a stream up to `maxItems` items or `maxBytes` bytes, or until `signal` aborts. */
export async function readItems(
  response: Response,
  {
    maxItems,
    maxBytes,
    signal,
    dataOf,
  }: {
    readonly maxItems: number;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
    readonly dataOf: DataReader;
  },
): Promise<McpItems> {
  const items: unknown[] = [];
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  const stop = (): void => void reader?.cancel().catch(() => {});
  const forget = onAbort(signal, stop);
  let rest = "";
  let bytes = 0;
  try {
    while (reader !== undefined && !signal.aborted) {
      const part = await reader.read();
      if (part.done) break;
      bytes += part.value.byteLength;
      const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.trim() === "") continue;
        const item = objectOf(line, response.status) as { readonly webrpcError?: WireError };
        if (item.webrpcError !== undefined) {
          const status = Number(item.webrpcError.status) || response.status;
          const { failure } = failureOf(item.webrpcError, status, dataOf);
          return { items, end: "failed", error: failure };
        }
        items.push(item);
        if (items.length >= maxItems) return { items, end: "more" };
      }
      if (bytes >= maxBytes) return { items, end: "more" };
    }
    return { items, end: signal.aborted ? "more" : "ended" };
  } finally {
    forget();
    stop();
  }
}

/** A file of a response. */
interface McpFileContent {
  readonly name: string | undefined;
  readonly type: string;
  /** In bytes, as far as known. */
  readonly size: number | undefined;
  /** Undefined if the file is larger than the limit. */
  readonly bytes: Uint8Array | undefined;
}

/** Reads a file of at most `maxBytes` bytes. */
export async function readFile(response: Response, maxBytes: number): Promise<McpFileContent> {
  const { headers, body } = response;
  const type = headers.get("content-type")?.split(";")[0]?.trim() || "application/octet-stream";
  const name = fileNameIn(headers.get("content-disposition") ?? "");
  const length = headers.get("content-length");
  const stated = length === null ? undefined : Number(length);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    size += chunk.byteLength;
    if (size > maxBytes || (stated ?? 0) > maxBytes) return { name, type, size: stated, bytes: undefined };
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return { name, type, size, bytes };
}

/* What tools return. Compatible with `CallToolResult` of the SDK. */

type McpContent =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType: string; text: string } }
  | { type: "resource"; resource: { uri: string; mimeType: string; blob: string } };

/** Not an interface, so that it fits the index signature of the SDK's type. */
export type McpResult = {
  content: McpContent[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
};

export function textResult(text: string): McpResult {
  return { content: [{ type: "text", text }] };
}

/* Calls a method for an agent. */

/** A call with its settings. */
interface McpCall {
  readonly api: McpApi;
  readonly target: McpTarget;
  readonly settings: McpSettings;
  readonly method: McpMethod;
  readonly request: unknown;
  readonly selection: Selection;
  /** The HTTP request of the agent. */
  readonly agent: Request | undefined;
  /** Aborts when the agent cancels the call. */
  readonly signal: AbortSignal;
}

/** Throws `McpCallError`. */
export async function callMethod(call: McpCall): Promise<McpResult> {
  const { api, method, settings, signal } = call;
  const request = callRequest(api, method, call.request);
  if (isIssues(request)) throw invalidRequest(request);
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const stop = callAfter(settings.timeoutMs || Infinity, signal, abort);
  try {
    const response = await send(call, request, controller.signal);
    if (response.status >= 300) throw await readFailure(response, dataReader(call));
    if (method.response === undefined) return await fileResult(response, settings);
    if (method.isStream) return await streamResult(response, call, method.response);
    return valueResult(await readJson(response), call, method.response);
  } catch (thrown) {
    if (thrown instanceof McpCallError) throw thrown;
    settings.onError(thrown);
    throw new McpCallError({
      name: "NoResponse",
      message: controller.signal.aborted
        ? `The API did not respond within ${settings.timeoutMs} ms. It may have done the work.`
        : "The API could not be reached, or the connection broke.",
    });
  } finally {
    stop();
    abort();
  }
}

function isIssues(
  request: ReturnType<typeof callRequest>,
): request is Extract<typeof request, readonly unknown[]> {
  return Array.isArray(request);
}

async function send(
  { target, settings, agent }: McpCall,
  { path, method, headers, body }: McpCallRequest,
  signal: AbortSignal,
): Promise<Response> {
  const own = await (settings.headers ?? defaultHeaders(target))(agent);
  const init = { method, headers: joinHeaders(own, headers), signal, ...(body !== undefined && { body }) };
  if (typeof target !== "string") return target(new Request(`http://localhost${path}`, init));
  // A redirect would send the credentials elsewhere.
  return fetch(target.replace(/\/+$/, "") + path, { ...init, redirect: "manual" });
}

function defaultHeaders(target: McpTarget): (agent: Request | undefined) => Record<string, string> {
  return (agent) => {
    const authorization = agent?.headers.get("authorization");
    const headers: Record<string, string> = {};
    if (typeof target !== "string" && authorization) headers["Authorization"] = authorization;
    return headers;
  };
}

function valueResult(value: unknown, { api, method, selection, settings }: McpCall, type: string): McpResult {
  const visible = selectedValue(visibleValue(api, type, value), selection);
  return cutResult(cutJson(visible, settings.maxBytes), settings, method);
}

async function streamResult(response: Response, call: McpCall, type: string): Promise<McpResult> {
  const { api, settings, selection, method, signal } = call;
  const { maxItems, maxBytes, streamMs } = settings;
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const stop = callAfter(streamMs, signal, abort);
  try {
    const limits = {
      maxItems,
      maxBytes: maxBytes * streamFactor,
      signal: controller.signal,
      dataOf: dataReader(call),
    };
    const { items, end, error } = await readItems(response, limits);
    if (error !== undefined && items.length === 0) throw new McpCallError(error);
    const visible = items.map((item) => selectedValue(visibleValue(api, type, item), selection));
    const result = cutResult(cutJson({ items: visible, end }, maxBytes), settings, method);
    if (end === "more") {
      const text = `The stream goes on. A call returns at most ${maxItems} items, and waits at most ${streamMs} ms.`;
      result.content.push({ type: "text", text });
    }
    return error === undefined ? result : withFailure(result, error);
  } finally {
    stop();
  }
}

/** A selection may make items that are larger than an answer small enough. */
const streamFactor = 10;

function cutResult(cut: CutValue, { maxBytes }: McpSettings, { pageSize }: McpMethod): McpResult {
  if (cut.cuts.length === 0) return textResult(cut.text);
  const smaller = pageSize === undefined ? "" : `, or with a smaller "${pageSize}" in the request`;
  const advice = `To get less of each item, call again with "fields", such as ["items.id"]${smaller}.`;
  const result = textResult(cut.text);
  result.content.push({ type: "text", text: describeCuts(cut, maxBytes, advice) });
  return result;
}

async function fileResult(response: Response, settings: McpSettings): Promise<McpResult> {
  const { name = "file", type, size, bytes } = await readFile(response, settings.fileMaxBytes);
  const about: McpContent = {
    type: "text",
    text: JSON.stringify({ name, type, ...(size !== undefined && { size }) }),
  };
  if (bytes === undefined) {
    const text = `The file is larger than ${settings.fileMaxBytes} bytes, so its content is left out.`;
    return { content: [about, { type: "text", text }] };
  }
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(type))
    return { content: [about, { type: "image", data: base64Of(bytes), mimeType: type }] };
  const uri = `file:///${encodeURIComponent(name)}`;
  const text = textOf(bytes, type);
  if (text === undefined)
    return {
      content: [about, { type: "resource", resource: { uri, mimeType: type, blob: base64Of(bytes) } }],
    };
  const shown = text.length <= settings.maxBytes ? text : text.slice(0, settings.maxBytes);
  const content: McpContent[] = [about, { type: "resource", resource: { uri, mimeType: type, text: shown } }];
  if (shown.length < text.length)
    content.push({ type: "text", text: `Cut to ${shown.length} of ${text.length} characters.` });
  return { content };
}

/** Returns the text of a file that is one. */
function textOf(bytes: Uint8Array, type: string): string | undefined {
  if (!/^text\/|[/+](?:json|xml|csv|yaml|x-ndjson|javascript)$/.test(type)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

/** Adds an error to what a tool returns, as structured content and as its JSON. */
export function withFailure({ content }: McpResult, error: McpFailure): McpResult {
  const text = printInt64Json({ error });
  const structuredContent = JSON.parse(text) as { error: McpFailure };
  return { content: [...content, { type: "text", text }], structuredContent, isError: true };
}
