/** A method of the schema as a function, with what belongs to it. */
import type { Call, CallOptions, Client, MethodInfo, MethodTraits, Schema } from "./client.ts";
import { send } from "./client-send.ts";
import { RpcError } from "./errors.ts";
import type { Result } from "./result.ts";

/** `await getOrders(client, { input })` answers, or throws one of `Err`. A request without fields may be left out. */
export interface Method<Req, Res, Err extends RpcError> {
  (client: Client, ...args: Arguments<Req>): Promise<Res>;
  /** The same, with a failure as an answer: see `match`. */
  readonly result: (client: Client, ...args: Arguments<Req>) => Promise<Result<Res, Err>>;
  /** Tells calls apart in a cache: `["Marketplace", "GetOrders", req]`. */
  readonly queryKey: (
    ...req: RequestOnly<Req>
  ) => readonly [service: string, method: string, ...req: unknown[]];
  readonly info: MethodInfo;
}

/** A method of a service object, which knows its client: `await marketplace.getOrders({ input })`. */
export interface BoundMethod<Req, Res, Err extends RpcError> {
  (...args: Arguments<Req>): Promise<Res>;
  readonly result: (...args: Arguments<Req>) => Promise<Result<Res, Err>>;
  readonly queryKey: Method<Req, Res, Err>["queryKey"];
}

type Arguments<Req> = undefined extends Req
  ? [req?: Req, options?: CallOptions]
  : [req: Req, options?: CallOptions];

type RequestOnly<Req> = undefined extends Req ? [req?: Req] : [req: Req];

/** All that a method may fail with: `ErrorOf<typeof getOrders>`. */
export type ErrorOf<Of extends { readonly result: (...args: never) => Promise<Result<unknown>> }> = Extract<
  Awaited<ReturnType<Of["result"]>>,
  { readonly ok: false }
>["error"];

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
    const call: Call = { ...options, method: info, req, until: performance.now() + (timeoutMs || Infinity) };
    const next = (each: Call): Promise<unknown> => send(client, each);
    return client.interceptor ? client.interceptor(call, next) : next(call);
  }
  return Object.assign(run, {
    info,
    result: (...args: Parameters<typeof run>) =>
      run(...args).then(
        (value) => ({ ok: true, value }),
        (error: unknown) => {
          if (error instanceof RpcError) return { ok: false, error };
          throw error;
        },
      ),
    queryKey: (...req: readonly unknown[]) => [service, name, ...req],
  }) as unknown as Method<Req, Res, Err>;
}

/** Gives a method its client. */
export function bind<Req, Res, Err extends RpcError>(
  method: Method<Req, Res, Err>,
  client: Client,
): BoundMethod<Req, Res, Err> {
  const run = (...args: Arguments<Req>): Promise<Res> => method(client, ...args);
  return Object.assign(run, {
    result: (...args: Arguments<Req>) => method.result(client, ...args),
    queryKey: method.queryKey,
  });
}

/** Tells an interceptor which method it has before it: `if (isCallOf(getOrders, call)) call.req.input`. */
export function isCallOf<Req, Res, Err extends RpcError>(
  method: Method<Req, Res, Err>,
  call: Call,
): call is Call<Req> {
  return call.method === method.info;
}

