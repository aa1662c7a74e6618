import {
  type Call,
  type MethodInfo,
  type MethodTraits,
  method,
  readResponse,
  type Schema,
  send,
} from "./client.ts";
import { RpcError } from "./errors.ts";
import { fileNameIn } from "./headers.ts";
import { onAbort } from "./time.ts";
import type { Transport, TransportInit, TransportResponse } from "./transport.ts";

/* Reads responses that are files. */

/** A file that a server returned. Reading it slowly slows the server down. */
export interface ReceivedFile {
  /**
   * File name chosen by the server; do not use it as a path. In a browser, the server must expose the header
   * Content-Disposition.
   */
  readonly name: string | undefined;
  /** Media type. */
  readonly type: string;
  /** In bytes, if the server sent it. */
  readonly size: number | undefined;
  /** Read it once, or cancel it. Fails if the connection breaks. */
  readonly stream: ReadableStream<Uint8Array>;
}

/**
 * Returns the file. Throws the `RpcError` that an error response describes. The signal of the call also ends the
 * stream.
 */
export async function readFile(
  method: MethodInfo,
  response: TransportResponse,
  signal?: AbortSignal,
): Promise<ReceivedFile> {
  const { status, headers, body } = response;
  if (status !== 200) await readResponse(method, response);
  if (!body) {
    const cause = "the response has no body, or the transport does not support streaming";
    throw new RpcError({ ...method.schema.failures[-5], cause });
  }
  const length = headers.get("content-length") ?? "";
  return {
    name: fileNameIn(headers.get("content-disposition") ?? ""),
    type: headers.get("content-type") ?? "application/octet-stream",
    size: /^\d+$/.test(length) ? Number(length) : undefined,
    stream: signal ? abortable(body, signal) : body,
  };
}

/** Returns a stream that fails when the signal aborts. */
function abortable(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const controller = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const forget = onAbort(signal, () => controller.abort(signal.reason));
  // The reader gets the failure, too.
  body
    .pipeTo(writable, { signal: controller.signal })
    .catch(() => {})
    .finally(forget);
  return readable;
}

/* Sends requests with files as forms. */

/** Where a file is in a request: the name of an argument, or an argument and the name of its field. */
export type FilePath = string | readonly [within: string, name: string];

type RequestFields = Readonly<Record<string, unknown>>;

/** Returns the arguments as they are sent in JSON, with null for each file: servers of webrpc count the nulls of a list. */
export function withoutFiles(req: unknown, paths: readonly FilePath[]): object {
  const fields: Record<string, unknown> = { ...(req as RequestFields) };
  for (const path of paths) {
    const [name, within] = partsOf(path);
    if (within === undefined) fields[name] = placeholder(fields[name]);
    else if (isObject(fields[within]))
      fields[within] = { ...fields[within], [name]: placeholder(fields[within][name]) };
  }
  return fields;
}

function placeholder(file: unknown): null | readonly null[] {
  return Array.isArray(file) ? file.map(() => null) : null;
}

function partsOf(path: FilePath): readonly [name: string, within?: string] {
  return typeof path === "string" ? [path] : [path[1], path[0]];
}

function isObject(value: unknown): value is RequestFields {
  return typeof value === "object" && value !== null;
}

function filesAt(req: unknown, path: FilePath): readonly Blob[] {
  const [name, within] = partsOf(path);
  const holder = within === undefined ? req : (req as RequestFields)[within];
  const files = isObject(holder) ? (holder[name] ?? []) : [];
  return [files as Blob | readonly Blob[]].flat();
}

/**
 * Builds a form: the part `json` with all other arguments, then one part per file. Files of a list have the same part
 * name.
 */
export function asForm(
  { headers, body, ...init }: TransportInit,
  req: unknown,
  paths: readonly FilePath[],
): TransportInit {
  const form = new FormData();
  form.append("json", body as string);
  for (const path of paths) for (const file of filesAt(req, path)) form.append(partsOf(path)[0], file);
  // `fetch` sets the Content-Type with the boundary. With any other redirect mode, Node's `fetch` would keep the whole
  // form in memory.
  const others = { ...headers };
  delete others["content-type"];
  return { ...init, redirect: "error", headers: others, body: form };
}

/* Methods that take files or return one. */

/** How a method sends and receives files. */
interface FileTraits extends MethodTraits {
  readonly files?: readonly FilePath[];
  readonly answersFile?: true;
}

/** Creates the function of a method that takes files or returns one. */
export function fileMethod<Called>(
  schema: Schema,
  service: string,
  name: string,
  { files = [], answersFile, ...traits }: FileTraits,
): Called {
  function sendFiles(call: Call): Promise<unknown> {
    const { req = {}, client, signal } = call;
    const { transport = fetch } = client;
    const formTransport: Transport = (url, init) => {
      const prepared = files.length > 0 ? asForm(init, req, files) : init;
      return transport(url, answersFile ? { ...prepared, stream: true } : prepared);
    };
    const sent = { ...call, req: withoutFiles(req, files), client: { ...client, transport: formTransport } };
    return answersFile ? send(sent, (method, response) => readFile(method, response, signal)) : send(sent);
  }
  // How long sending files takes is unknown.
  return method(schema, service, name, traits, sendFiles, files.length > 0 ? 0 : 30_000);
}
