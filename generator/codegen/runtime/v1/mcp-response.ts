/** Reads HTTP responses for agents. */
import { BoundedText } from "./bounded-text.ts";
import { parseInt64Json } from "./int64-json.ts";
import { type Issue, pointerOf } from "./issue.ts";

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
}

export class McpCallError extends Error {
  readonly failure: McpFailure;

  constructor(failure: McpFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Reports arguments that cannot be sent. */
export function invalidRequest(issues: readonly Issue[]): McpCallError {
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
  const bounded = new BoundedText(responseMaxBytes);
  for await (const chunk of chunksOf(response.body)) if (!bounded.add(chunk)) break;
  return objectOf(bounded.end(), response.status);
}

function objectOf(text: string, status: number): unknown {
  try {
    const value = parseInt64Json(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
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
export async function readFailure(response: Response): Promise<McpCallError> {
  const { status } = response;
  try {
    return failureOf(await readJson(response), status);
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
}

/** Errors with causes that describe the request. Causes of other errors may describe the inside of a server. */
const badRequestCode = -4;

function failureOf(value: unknown, status: number): McpCallError {
  const { error, code, msg, cause, issues } = value as WireError;
  if (typeof code !== "number" || typeof error !== "string")
    return new McpCallError({
      name: "InvalidResponse",
      status,
      message: `The API responded with HTTP ${status}, and with a body that is not an error of the API.`,
    });
  const listed = Array.isArray(issues) ? issues.filter(isIssue) : [];
  const hasCause = code === badRequestCode && typeof cause === "string" && listed.length === 0;
  const message = typeof msg === "string" ? msg : error;
  return new McpCallError({
    name: error,
    code,
    status,
    message: hasCause ? `${message}: ${cause.slice(0, causeMaxLength)}` : message,
    ...(listed.length > 0 && {
      issues: listed.map(({ path, message: text }) => ({ pointer: pointerOf(path), message: text })),
    }),
  });
}

const causeMaxLength = 500;

function isIssue(value: Partial<Issue> | null): value is Issue {
  return typeof value?.message === "string" && Array.isArray(value.path);
}

/** Reads the bytes of a body, and closes it when the loop is left. */
export async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The first items of a stream. */
export interface McpItems {
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
  }: { readonly maxItems: number; readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<McpItems> {
  const items: unknown[] = [];
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  const stop = (): void => void reader?.cancel().catch(() => {});
  signal.addEventListener("abort", stop);
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
          const { failure } = failureOf(item.webrpcError, Number(item.webrpcError.status) || response.status);
          return { items, end: "failed", error: failure };
        }
        items.push(item);
        if (items.length >= maxItems) return { items, end: "more" };
      }
      if (bytes >= maxBytes) return { items, end: "more" };
    }
    return { items, end: signal.aborted ? "more" : "ended" };
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** A file of a response. */
export interface McpFileContent {
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
  const name = fileName(headers.get("content-disposition") ?? "");
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

/** Returns the name in a header Content-Disposition: `filename*=UTF-8''a%20b.txt` or `filename="a b.txt"`. */
function fileName(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // The other form follows.
  }
  return /filename="([^"]*)"/i.exec(disposition)?.[1];
}
