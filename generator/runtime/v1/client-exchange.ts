/** One request, and what its answer means. */
import type { Call, Client, FailureCode, MethodInfo } from "./client.ts";
import { RpcError, type RpcErrorInit } from "./errors.ts";
import type { TransportResponse } from "./transport.ts";
import { fetchTransport } from "./transport-fetch.ts";

/** Sends a call once. Throws an `RpcError`, or whatever the hook for headers and the transport throw. */
export async function exchange(
  client: Client,
  call: Call,
  body: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { method } = call;
  const { schema, service, name } = method;
  const own = typeof client.headers === "function" ? await client.headers(call) : client.headers;
  const headers: Record<string, string> & { Webrpc?: string } = {
    "Content-Type": "application/json",
    ...own,
    ...call.headers,
  };
  if (client.webrpcHeader !== false) headers.Webrpc = schema.webrpc;
  const url = `${client.url.replace(/\/+$/, "")}${schema.basepath}${service}/${name}`;
  return read(method, await (client.transport ?? fetchTransport)({ url, headers, body, signal }));
}

/** An error that the client makes by itself, under the name that the schema gives it. */
export function failure({ schema }: MethodInfo, code: FailureCode, cause: string): RpcError {
  return new RpcError({ ...schema.failures[code], code, cause });
}

/** The answer, or the error that it says or is. A body that is no JSON object is never an answer. */
function read(method: MethodInfo, { status, text, header }: TransportResponse): unknown {
  let answer: Envelope = {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      answer = value;
      if (status < 300) return method.decode ? method.decode(value) : value;
    }
  } catch {
    // Not JSON, or something in it does not fit.
  }
  const isError = status >= 300 && Number.isInteger(answer.code);
  const info = isError
    ? errorOf(answer)
    : { ...method.schema.failures[-5], code: -5, cause: text.slice(0, 200) };
  throw new RpcError({ ...info, status, retryAfterMs: waitOf(header("retry-after")) });
}

/** What a failure looks like. Nothing is certain: servers made by older tools write `name` and `message`. */
interface Envelope {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly name?: unknown;
  readonly msg?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

function errorOf({ code, error, name, msg, message, cause }: Envelope): Omit<RpcErrorInit, "status"> {
  const title = textOf(error) ?? textOf(name) ?? "RpcError";
  return {
    name: title,
    code: code as number,
    msg: textOf(msg) ?? textOf(message) ?? title,
    cause: textOf(cause),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Of Retry-After, in milliseconds: it holds seconds or a date. */
function waitOf(value: string | null | undefined): number | undefined {
  if (!value) return undefined;
  const ms = Number.isNaN(+value) ? Date.parse(value) - Date.now() : +value * 1_000;
  return ms >= 0 ? ms : undefined;
}
