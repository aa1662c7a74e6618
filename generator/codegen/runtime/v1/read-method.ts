/** Methods that caches know, and that have no route. */
import type { CallOptions, Client, PostMethod } from "./client.ts";
import type { RpcError } from "./errors.ts";
import type { Method } from "./method.ts";

/**
 * Adds the forms of a read to a method: with the client's option `reads`, it is called by GET or QUERY. Generated code
 * calls this at module level, so it must have no side effects.
 */
export function readMethod<Req, Res, Err extends RpcError>(
  method: Method<Req, Res, Err>,
): Method<Req, Res, Err> {
  const post = method as unknown as PostMethod;
  const run = (client: Client, req?: unknown, options?: CallOptions): Promise<unknown> =>
    client.reads === undefined ? post(client, req, options) : client.reads(post, client, req, options);
  run.info = method.info;
  return run as never;
}
