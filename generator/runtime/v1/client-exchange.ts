/** One request, and what its answer means. */
import type { Call, Client, FailureCode, Schema } from "./client.ts";
import { RpcError, type RpcErrorInit } from "./errors.ts";
import { fetchTransport } from "./transport-fetch.ts";

/** Sends a call once. Throws an `RpcError`, or whatever the hook for headers and the transport throw. */
export async function exchange(client: Client, call: Call, signal: AbortSignal | undefined): Promise<unknown> {
  const { schema, service, name, replacer, decode } = call.method;
  const { headers: own, transport = fetchTransport } = client;
  const { status, text, header } = await transport({
    url: client.url.replace(/\/+$/, "") + schema.basepath + service + "/" + name,
    headers: {
      "Content-Type": "application/json",
      ...(client.webrpcHeader !== false && { Webrpc: schema.webrpc }),
      ...(typeof own === "function" ? await own(call) : own),
      ...call.headers,
    },
    body: JSON.stringify(call.req ?? {}, replacer),
    signal,
  });
  const wait = header("retry-after");
  const came = { status, retryAfterMs: wait ? +wait * 1_000 || 0 : undefined };
  let error: RpcError | undefined;
  try {
    // Whatever else JSON can be, an answer and an error are objects.
    if (/^\s*\{/.test(text)) {
      const value = JSON.parse(text) as Envelope;
      if (status < 300) return decode ? decode(value) : value;
      error = errorOf(value, came);
    }
  } catch {
    // Not JSON, or something in it does not fit.
  }
  throw error ?? failure(schema, -5, text.slice(0, 200), came);
}

/** An error that the client makes by itself, under the name that the schema gives it. */
export function failure(schema: Schema, code: FailureCode, cause: string, came?: Came): RpcError {
  const [name, msg, status] = schema.failures[code];
  return new RpcError({ name, code, msg, cause, status, ...came });
}

type Came = Pick<RpcErrorInit, "status" | "retryAfterMs">;

/** What a failure looks like. Servers made by older tools write `name` and `message`; a hostile one writes anything. */
interface Envelope {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly name?: unknown;
  readonly msg?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** Throws if a part of it cannot be text. */
function errorOf(value: Envelope, came: Came): RpcError | undefined {
  const { code, error = value.name, msg = value.message ?? error, cause } = value;
  if (!Number.isInteger(code)) return undefined;
  return new RpcError({
    name: `${error}`,
    code: code as number,
    msg: `${msg}`,
    cause: cause ? `${cause}` : undefined,
    ...came,
  });
}
