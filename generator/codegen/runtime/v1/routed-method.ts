/** Methods with a route. */
import type { Call, CallOptions, Client, FailureInfo, MethodInfo, MethodTraits, Schema } from "./client.ts";
import { send } from "./client-send.ts";
import { RpcError } from "./errors.ts";
// @if reads
import { sendTagged } from "./etag.ts";
// @end
import { issue } from "./issue.ts";
import { hasOwn } from "./own-property.ts";
import type { Transport, TransportInit } from "./routed-transport.ts";

/** How a method with a route is called. */
export interface RouteTraits extends MethodTraits {
  readonly verb: TransportInit["method"];
  /** Includes the basepath: `/rpc/pets/{id}`. */
  readonly path: string;
  /** The fields that are sent in the query. Undefined if the request has a body. */
  readonly query?: readonly string[];
  /** The error of a request that a path cannot hold. */
  readonly refusal: FailureInfo;
}

/**
 * Creates the function of a method with a route. Generated code calls this at module level, so it must have no side
 * effects.
 */
export function routedMethod<Called>(
  schema: Schema,
  service: string,
  name: string,
  { verb, path, query, refusal, ...traits }: RouteTraits,
): Called {
  const info: MethodInfo = { ...traits, schema, service, name };
  function sendRouted(call: Call): Promise<unknown> {
    const { client } = call;
    const req = (call.req ?? {}) as RoutedFields;
    const transport = (client.transport ?? fetch) as Transport;
    const routed: Transport = (_url, init) => {
      const url = client.url.replace(/\/+$/, "") + pathOf(path, req, refusal);
      if (query === undefined) return transport(url, { ...init, method: verb });
      const { "content-type": _json, ...headers } = init.headers;
      const search = queryOf(query, req, refusal);
      return transport(url + (search && `?${search}`), { ...init, method: verb, headers, body: null });
    };
    // @if reads
    if (verb === "GET" || verb === "QUERY") return sendTagged(call, routed, send);
    // @end
    return send({ ...call, client: { ...client, transport: routed } });
  }
  async function run(client: Client, req?: unknown, options?: CallOptions): Promise<unknown> {
    const timeoutMs = options?.timeoutMs ?? client.timeoutMs ?? 30_000;
    const call: Call = { ...options, client, method: info, req, timeoutMs };
    return client.interceptor ? client.interceptor(call, sendRouted) : sendRouted(call);
  }
  run.info = info;
  return run as never;
}

type RoutedFields = Readonly<Record<string, unknown>>;

/** Fills in the parameters of a path. URLs drop the segments `.` and `..`, however they are encoded. */
function pathOf(template: string, req: RoutedFields, refusal: FailureInfo): string {
  return template.replace(/\{(\w+)\}/g, (_parameter, name: string) => {
    const text = hasOwn(req, name) ? textOf(req[name]) : "";
    if (text === "" || text === "." || text === "..")
      throw refused(refusal, name, 'text other than "", "." and ".."', JSON.stringify(text));
    return encoded(text, name, refusal);
  });
}

/** `limit=20&tags=a&tags=b`. Omits absent values and empty lists. */
function queryOf(names: readonly string[], req: RoutedFields, refusal: FailureInfo): string {
  const pairs = names.flatMap((name) => {
    const values = hasOwn(req, name) ? [req[name]].flat() : [];
    return values
      .filter((value) => value !== undefined && value !== null)
      .map((value) => `${encodeURIComponent(name)}=${encoded(textOf(value), name, refusal)}`);
  });
  return pairs.join("&");
}

/** Returns the text of a value as in JSON, without quotes. */
function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : `${value ?? ""}`;
}

function encoded(text: string, name: string, refusal: FailureInfo): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw refused(refusal, name, "Unicode text", "a lone surrogate");
  }
}

function refused(refusal: FailureInfo, name: string, expected: string, found: string): RpcError {
  const fault = issue([name], expected, found);
  return new RpcError({ ...refusal, code: -4, msg: `/${name}: ${fault.message}`, issues: [fault] });
}
