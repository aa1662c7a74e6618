/** Methods of the schema as functions. */
import type { Call, CallOptions, Client, MethodInfo, MethodTraits, Schema } from "./client.ts";
import { send } from "./client-send.ts";
import type { RpcError } from "./errors.ts";
import type { Answer } from "./result.ts";

/** Calls a method: `await getOrders(client, { input })` returns the response or throws an error of type `Err`. */
export interface Method<Req, Res, Err extends RpcError> {
  (client: Client, req: Req, options?: CallOptions): Answer<Res, Err>;
  readonly info: MethodInfo;
}

/** A method whose request has no fields: `await ping(client)`. A conditional type in `Method` would compile slower. */
export interface EmptyRequestMethod<Req, Res, Err extends RpcError> {
  (client: Client, req?: Req, options?: CallOptions): Answer<Res, Err>;
  readonly info: MethodInfo;
}

/**
 * Creates the function of a method, which has the type `Called`. Generated code calls this at module level, so it must have
 * no side effects.
 */
export function method<Called>(schema: Schema, service: string, name: string, traits?: MethodTraits): Called {
  const info: MethodInfo = { ...traits, schema, service, name };
  async function run(client: Client, req?: unknown, options?: CallOptions): Promise<unknown> {
    const timeoutMs = options?.timeoutMs ?? client.timeoutMs ?? 30_000;
    const call: Call = { ...options, client, method: info, req, timeoutMs };
    return client.interceptor ? client.interceptor(call, send) : send(call);
  }
  run.info = info;
  return run as never;
}

/**
 * Returns a cache key: `queryKey(getOrders, req)` is `["Marketplace", "GetOrders", req]`, with bigints as strings.
 * Without a request, it is the start of the keys of all calls of the method.
 */
export function queryKey<Req>(
  { info }: Keyed<Req>,
  req?: NoInfer<Req>,
): readonly [service: string, method: string, ...req: unknown[]] {
  const text = JSON.stringify(req, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  // A call without a request sends an empty one.
  return [info.service, info.name, ...(text === undefined || text === "{}" ? [] : [JSON.parse(text)])];
}

/** A method of any kind. */
interface Keyed<Req> {
  (client: Client, req: Req, options?: never): unknown;
  readonly info: MethodInfo;
}

/** Narrows a call in an interceptor to one method: `if (isCallOf(getOrders, call)) call.req.input`. */
export function isCallOf<Req>(method: Method<Req, unknown, RpcError>, call: Call): call is Call<Req> {
  return call.method === method.info;
}
