/** One request, and what its answer means. */
import type { Call, Client } from "./client.ts";
import { RpcError, type RpcErrorInit } from "./errors.ts";

/** Sends a call once. Throws an `RpcError`, or whatever the hook for headers and the transport throw. */
export async function exchange(client: Client, call: Call, signal: AbortSignal | null): Promise<unknown> {
  const { schema, service, name, replacer, decode } = call.method;
  const { url, headers, transport = fetch } = client;
  const response = await transport(`${url.replace(/\/+$/, "")}${schema.basepath}${service}/${name}`, {
    method: "POST",
    redirect: "manual",
    headers: {
      "Content-Type": "application/json",
      ...(client.webrpcHeader !== false && { Webrpc: schema.webrpc }),
      ...(typeof headers === "function" ? await headers(call) : headers),
      ...call.headers,
    },
    body: JSON.stringify(call.req ?? {}, replacer),
    signal,
  });
  const { status } = response;
  const text = await response.text();
  let error: Omit<RpcErrorInit, "status"> = { ...schema.failures[-5], code: -5, cause: text.slice(0, 200) };
  try {
    // Whatever else JSON can be, an answer and an error are objects.
    if (/^\s*\{/.test(text)) {
      const value = JSON.parse(text) as Envelope;
      if (status < 300) return decode ? decode(value) : value;
      error = errorOf(value) ?? error;
    }
  } catch {
    // Not JSON, or something in it does not fit.
  }
  const wait = response.headers.get("retry-after");
  throw new RpcError({ ...error, status, retryAfterMs: wait ? +wait * 1_000 || 0 : undefined });
}

/** What a failure looks like. Servers made by older tools write `name` and `message`; a hostile one writes anything. */
interface Envelope {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly name?: unknown;
  readonly msg?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** Undefined, or a throw, for what is none. */
function errorOf(value: Envelope): Omit<RpcErrorInit, "status"> | undefined {
  const { code, error = value.name, msg = value.message ?? error, cause } = value;
  if (!Number.isInteger(code)) return undefined;
  return { code: code as number, name: `${error}`, msg: `${msg}`, cause: cause ? `${cause}` : undefined };
}
