/** One request, and what its answer means. */
import type { Call } from "./client.ts";
import { RpcError, type RpcErrorInit } from "./errors.ts";

/** Throws an `RpcError`, or whatever the hook for headers and the transport throw. */
export async function exchange(call: Call, signal: AbortSignal | null): Promise<unknown> {
  const { schema, service, name, replacer, decode } = call.method;
  const { url, headers, transport = fetch, webrpcHeader = true } = call.client;
  const response = await transport(`${url.replace(/\/+$/, "")}${schema.basepath}${service}/${name}`, {
    method: "POST",
    redirect: "manual",
    headers: {
      "Content-Type": "application/json",
      ...(webrpcHeader && { Webrpc: schema.webrpc }),
      ...(await headers?.(call)),
      ...call.headers,
    },
    body: JSON.stringify(call.req ?? {}, replacer),
    signal,
  });
  const { status } = response;
  const text = await response.text();
  let error: WireError = { ...schema.failures[-5], code: -5, cause: text.slice(0, 200) };
  try {
    // Whatever else JSON can be, an answer and an error are objects.
    if (/^\s*\{/.test(text)) {
      const value = JSON.parse(text) as Envelope;
      if (status < 300) return decode ? decode(value) : value;
      const { code, error: name = value.name, msg = value.message ?? name, cause } = value;
      if (typeof code === "number") {
        error = { code, name: `${name}`, msg: `${msg}`, cause: cause ? `${cause}` : undefined };
      }
    }
  } catch {
    // Not JSON, or something in it does not fit: no bigint, or an object that refuses to be text.
  }
  throw new RpcError({ ...error, status, retryAfter: response.headers.get("retry-after") });
}

type WireError = Pick<RpcErrorInit, "code" | "name" | "msg" | "cause">;

/** What a failure looks like. Servers made by older tools write `name` and `message`; a hostile one writes anything. */
interface Envelope {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly name?: unknown;
  readonly msg?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}
