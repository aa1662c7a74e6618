/** A method of the schema as a function. */
import type { Call, CallOptions, Client, MethodInfo, MethodTraits, Schema } from "./client.ts";
import { send } from "./client-send.ts";
import type { RpcError } from "./errors.ts";
import type { Answer } from "./result.ts";

/** `await getOrders(client, { input })` answers, or throws one of `Err`. A request without fields may be left out. */
export interface Method<Req, Res, Err extends RpcError> {
  (client: Client, ...args: Arguments<Req>): Answer<Res, Err>;
  readonly info: MethodInfo;
}

type Arguments<Req> = undefined extends Req
  ? [req?: Req, options?: CallOptions]
  : [req: Req, options?: CallOptions];

/** Makes the function of a method. Has no effect besides: generated code calls it once for each at its top. */
export function method<Req, Res, Err extends RpcError>(
  schema: Schema,
  service: string,
  name: string,
  traits?: MethodTraits,
): Method<Req, Res, Err> {
  const info: MethodInfo = { ...traits, schema, service, name };
  async function run(client: Client, req?: unknown, options?: CallOptions): Promise<unknown> {
    const timeoutMs = options?.timeoutMs ?? client.timeoutMs ?? 30_000;
    const call: Call = { ...options, client, method: info, req, timeoutMs };
    return client.interceptor ? client.interceptor(call, send) : send(call);
  }
  run.info = info;
  return run as never;
}

/** Tells calls apart in a cache: `queryKey(getOrders, req)` is `["Marketplace", "GetOrders", req]`. */
export function queryKey<Req>(
  { info }: Method<Req, unknown, RpcError>,
  ...req: undefined extends Req ? [req?: Req] : [req: Req]
): readonly [service: string, method: string, ...req: unknown[]] {
  return [info.service, info.name, ...req];
}

/** Tells an interceptor which method it has before it: `if (isCallOf(getOrders, call)) call.req.input`. */
export function isCallOf<Req>(method: Method<Req, unknown, RpcError>, call: Call): call is Call<Req> {
  return call.method === method.info;
}
