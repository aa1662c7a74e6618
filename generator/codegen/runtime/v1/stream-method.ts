/** Methods that stream their response. */
import type { Client, MethodInfo, MethodTraits, Schema } from "./client.ts";
import type { RpcError } from "./errors.ts";
import { IncomingStream, type Stream, type StreamOptions } from "./stream.ts";

/** Calls a method that streams: `for await (const item of watch(client, { filter }))`. */
export interface StreamMethod<Req, Item, Err extends RpcError> {
  (client: Client, req: Req, options?: StreamOptions<Req, Item>): Stream<Item, Err>;
  readonly info: MethodInfo;
}

/** Calls a method that streams and whose request has no fields: `watch(client)`. */
export interface EmptyRequestStreamMethod<Req, Item, Err extends RpcError> {
  (client: Client, req?: Req, options?: StreamOptions<Req, Item>): Stream<Item, Err>;
  readonly info: MethodInfo;
}

/**
 * Creates the function of a method that streams, which has the type `Called`. Generated code calls this at module level, so
 * it must have no side effects.
 */
export function streamMethod<Called>(
  schema: Schema,
  service: string,
  name: string,
  traits?: MethodTraits,
): Called {
  const info: MethodInfo = { ...traits, schema, service, name };
  function run(client: Client, req?: unknown, options: StreamOptions = {}): IncomingStream {
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 30_000;
    return new IncomingStream({ ...options, client, method: info, req: req ?? {}, timeoutMs }, options);
  }
  run.info = info;
  return run as never;
}
