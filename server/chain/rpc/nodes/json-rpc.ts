/** Sends one JSON-RPC request over HTTP and validates its response. */

import { isAscii } from "node:buffer";
import { isObject } from "ridlkit-runtime/json";
import { hideSecretsOf, hideUrlSecrets } from "../../../base/url-secrets.ts";
import {
  describeFailure,
  ErrorResponse,
  NodeFault,
  NodeRpcError,
  NodeTimeout,
  type Refusal,
  ResponseTooLarge,
  readRefusal,
} from "./faults.ts";

export interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** One call, or a batch of calls, whose response is a list. */
export type RpcPayload = RpcCall | readonly RpcCall[];

/** The response to one call. */
export type Reply = { readonly result: unknown } | NodeRpcError | NodeFault;

/** The response to the call with this id. */
export type ResponseTo = (id: number) => Reply;

export interface JsonRpcOptions {
  readonly url: string;
  /** Timeout of one HTTP response, in milliseconds, until its last byte. */
  readonly responseTimeoutMs: number;
  readonly maxResponseBytes: number;
  /** Queues an HTTP request. Default: sends it immediately. */
  readonly schedule?: <Value>(request: () => Promise<Value>) => Promise<Value>;
}

interface Head {
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter: string | null;
}

interface ReceivedResponse extends Head {
  /** Undefined if there are more bytes than the limit. */
  readonly bytes: Buffer | undefined;
}

/** Most bytes of a failed response. The reason is in the first lines of a gateway's error page. */
const maxFailureBytes = 16_384;

/** The returned function throws NodeFault, and NodeRpcError if the response as a whole is an error. */
export function openJsonRpc({
  url,
  responseTimeoutMs,
  maxResponseBytes,
  schedule = (request) => request(),
}: JsonRpcOptions): (payload: RpcPayload, timeoutMs?: number) => Promise<ResponseTo> {
  const { address, headers } = addressOf(url);
  const node = hideUrlSecrets(url);
  const hide = hideSecretsOf(url);
  const fault = (detail: string, refusal?: Refusal, isAboutRequest = false): NodeFault =>
    new ErrorResponse(hide(detail), node, refusal, isAboutRequest);

  async function send(body: string, timeoutMs: number): Promise<ReceivedResponse> {
    const ending = new AbortController();
    const { signal } = ending;
    const timer = setTimeout(() => ending.abort(), timeoutMs);
    try {
      // A redirect would lead to a node that the operator has not configured.
      const response = await fetch(address, { method: "POST", headers, body, signal, redirect: "error" });
      const { ok, status } = response;
      const retryAfter = response.headers.get("retry-after");
      return {
        status,
        retryAfter,
        bytes: await readBytes(response, ok ? maxResponseBytes : maxFailureBytes, signal),
      };
    } catch (err) {
      if (signal.aborted) throw new NodeTimeout(`no complete response within ${timeoutMs} ms`, node);
      throw new NodeFault(hide(detailOf(err)), node);
    } finally {
      clearTimeout(timer);
    }
  }

  function rpcError(reply: unknown, { status, retryAfter }: Head): NodeRpcError | undefined {
    const error = errorOf(reply);
    const refusal = error && readRefusal({ ...error, status, retryAfter });
    return error && new NodeRpcError({ ...error, detail: hide(error.detail), status, node, refusal });
  }

  /** An error about a whole request has no id, or is not in a list. It is not the response to any single call. */
  function batchFault(reply: unknown, { status, retryAfter }: Head): NodeFault | undefined {
    const error = errorOf(reply);
    return (
      error &&
      fault(describeFailure({ ...error, status }), readRefusal({ ...error, status, retryAfter }), true)
    );
  }

  /** Returns the list of responses. Checks the HTTP status first: the body of a gateway's error is not a response of the node. */
  function listOf({ bytes, ...head }: ReceivedResponse, isList: boolean): readonly unknown[] {
    const { status } = head;
    const isOk = status >= 200 && status < 300;
    if (bytes === undefined && isOk)
      throw new ResponseTooLarge(`its response is larger than ${maxResponseBytes} bytes`, node);
    const text = bytes === undefined ? "" : textOf(bytes);
    const parsed = parse(text);
    if (!isOk) {
      const detail = detailOfBody(text);
      const refusal = readRefusal({ ...head, detail });
      throw (
        rpcError([parsed].flat()[0], head) ??
        fault(describeFailure({ status, detail }), refusal, status < 500)
      );
    }
    if (parsed === undefined) throw fault(`its response is not JSON: ${detailOfBody(text)}`);
    if (Array.isArray(parsed) && (isList || parsed.length === 1)) return parsed;
    if (!isList && !Array.isArray(parsed)) return [parsed];
    throw (
      batchFault(parsed, head) ??
      fault(`its response is ${isList ? "not a list" : "a list"}`, undefined, true)
    );
  }

  function read(response: ReceivedResponse, payload: RpcPayload): ResponseTo {
    const calls = "id" in payload ? [payload] : payload;
    const isList = !("id" in payload);
    const list = listOf(response, isList);
    // A single call has no other result, so its id may be missing. An error without it may be of an earlier layer, such as a gateway.
    const idFor = (reply: unknown) => (isList || errorOf(reply) !== undefined ? null : payload.id);
    const replies = new Map(list.map((reply) => [idOf(reply) ?? idFor(reply), reply]));
    if (list.length !== calls.length || calls.some(({ id }) => !replies.has(id)))
      throw (
        batchFault(replies.get(null), response) ??
        fault("its responses do not match the calls", undefined, true)
      );
    return (id) => resultOf(replies.get(id), response);
  }

  function resultOf(reply: unknown, head: Head): Reply {
    const { result, error } = reply as { readonly result?: unknown; readonly error?: unknown };
    if (error !== undefined && error !== null)
      return rpcError(reply, head) ?? fault("an error in its response lacks a code or a message");
    return result === undefined ? fault("a response has neither result nor error") : { result };
  }

  return async (payload, timeoutMs = responseTimeoutMs) => {
    const call = (rpcCall: RpcCall): object => ({ jsonrpc: "2.0", ...rpcCall });
    const body = JSON.stringify("id" in payload ? call(payload) : payload.map(call));
    return read(await schedule(() => send(body, Math.min(timeoutMs, responseTimeoutMs))), payload);
  };
}

/** `fetch` rejects URLs with credentials, so they are moved into a header. */
function addressOf(url: string): { readonly address: string; readonly headers: Record<string, string> } {
  const parsed = new URL(url);
  const { username, password } = parsed;
  const headers = { "content-type": "application/json" };
  if (username === "" && password === "") return { address: url, headers };
  parsed.username = "";
  parsed.password = "";
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    address: parsed.href,
    headers: { ...headers, authorization: `Basic ${Buffer.from(user).toString("base64")}` },
  };
}

/* Reads responses of nodes: bytes, JSON, and the message of a failure. */

/**
 * Returns undefined if there are more than `maxBytes` bytes; the rest is not read. Throws the signal's reason. The reader is
 * cancelled here on abort, because `fetch` of Node 20 holds the signal weakly once the headers have arrived, and an endless
 * body would otherwise be awaited forever.
 */
export async function readBytes(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const reader = response.body?.getReader();
  const cancel = (): void => void reader?.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let size = Number(response.headers.get("content-length"));
    if (size <= maxBytes) size = 0;
    while (size <= maxBytes) {
      const chunk = (await reader?.read())?.value;
      signal.throwIfAborted();
      if (chunk === undefined) return Buffer.concat(chunks);
      size += chunk.byteLength;
      chunks.push(chunk);
    }
    cancel();
    return undefined;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Logs are ASCII. Decoding them as latin1 skips UTF-8 validation and takes half the memory. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** Returns undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns undefined if there is no id. Some nodes return the number as text. */
function idOf(reply: unknown): unknown {
  const id = isObject(reply) ? reply["id"] : undefined;
  return typeof id === "string" && /^[0-9]+$/.test(id) ? Number(id) : id;
}

interface ErrorObject {
  readonly code: number;
  readonly detail: string;
  readonly data: unknown;
}

/** Returns the error object of a response, or undefined if it has no valid one. */
function errorOf(reply: unknown): ErrorObject | undefined {
  const error = isObject(reply) ? reply["error"] : undefined;
  if (!isObject(error)) return undefined;
  const { code, message, data } = error;
  if (typeof code !== "number" || typeof message !== "string") return undefined;
  return { code, detail: message.slice(0, maxDetailLength), data };
}

/** Longest stored part of a provider's message, in characters. */
const maxDetailLength = 300;

/** Extracts the message from the body of a failure, whether JSON, HTML or text. */
export function detailOfBody(text: string): string {
  const parsed = parse(text);
  const { error = undefined, message = undefined } = isObject(parsed) ? parsed : {};
  const found = [isObject(error) ? error["message"] : error, message].find((one) => typeof one === "string");
  const detail = typeof found === "string" ? found : textOfPage(text);
  const short = detail.replace(/\s+/g, " ").trim().slice(0, maxDetailLength);
  return short === "" ? "it is empty" : short;
}

/** The title of an error page usually repeats its heading. */
function textOfPage(html: string): string {
  const [, title = ""] = /<title>(.*?)<\/title>/is.exec(html) ?? [];
  const text = (part: string): string =>
    part.replace(/<(style|script|title)\b.*?<\/\1>|<[^>]*>/gis, " ").trim();
  return text(html) || title;
}

/** Why a request failed: the system's message if there is one. */
function detailOf(err: unknown): string {
  if (!(err instanceof Error)) return String(err);
  const { cause } = err;
  return cause instanceof Error && cause.message !== "" ? cause.message : err.message;
}
