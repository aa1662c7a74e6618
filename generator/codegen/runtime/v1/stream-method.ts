/** A method that streams, as a function. */
import type { Client, MethodInfo, MethodTraits, Schema } from "./client.ts";
import type { RpcError } from "./errors.ts";
import { IncomingStream, type Stream, type StreamOptions } from "./stream.ts";

/** `for await (const item of watch(client, { filter }))`. A request without fields may be left out. */
export interface StreamMethod<Req, Item, Err extends RpcError> {
  (client: Client, ...args: StreamArguments<Req, Item>): Stream<Item, Err>;
  readonly info: MethodInfo;
}

type StreamArguments<Req, Item> = undefined extends Req
  ? [req?: Req, options?: StreamOptions<NonNullable<Req>, Item>]
  : [req: Req, options?: StreamOptions<Req, Item>];

/** Makes the function of a method. Has no effect besides: generated code calls it once for each at its top. */
export function streamMethod<Req, Item, Err extends RpcError>(
  schema: Schema,
  service: string,
  name: string,
  traits?: MethodTraits,
): StreamMethod<Req, Item, Err> {
  const info: MethodInfo = { ...traits, schema, service, name };
  function run(client: Client, req?: unknown, options: StreamOptions = {}): IncomingStream {
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 30_000;
    return new IncomingStream({ ...options, client, method: info, req: req ?? {}, timeoutMs }, options);
  }
  run.info = info;
  return run as never;
}
