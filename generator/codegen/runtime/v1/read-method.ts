/** Methods that caches know, and that have no route. */
import type { CallOptions, Client, MethodInfo, PostMethod } from "./client.ts";

/**
 * Adds the forms of a read to a method: with the client's option `reads`, it is called by GET or QUERY. Generated code
 * calls this at module level, so it must have no side effects.
 */
export function readMethod<Called extends { readonly info: MethodInfo }>(method: Called): Called {
  const post = method as unknown as PostMethod;
  const run = (client: Client, req?: unknown, options?: CallOptions): Promise<unknown> =>
    client.reads === undefined ? post(client, req, options) : client.reads(post, client, req, options);
  run.info = method.info;
  return run as never;
}
