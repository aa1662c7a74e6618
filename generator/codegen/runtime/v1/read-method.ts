/** Methods that caches know, and that have no route. */
import { canonicalJson } from "./canonical-json.ts";
import type { Call, CallOptions, Client, Interceptor, Next } from "./client.ts";
import type { RpcError } from "./errors.ts";
import { sendTagged } from "./etag.ts";
import type { Method } from "./method.ts";
import type { Transport } from "./routed-transport.ts";

/**
 * Adds the forms of a read to a method: with the client's option `reads`, it is called by GET or QUERY. Generated code
 * calls this at module level, so it must have no side effects.
 */
export function readMethod<Req, Res, Err extends RpcError>(
  method: Method<Req, Res, Err>,
): Method<Req, Res, Err> {
  const post = method as unknown as (client: Client, req: unknown, options: unknown) => Promise<unknown>;
  function run(client: Client, req?: unknown, options?: CallOptions): Promise<unknown> {
    if (client.reads === undefined) return post(client, req, options);
    const { interceptor = sendDirectly } = client;
    // Interceptors of the client see its own settings.
    const around: Interceptor = (call, next) =>
      interceptor({ ...call, client }, (sent) => sendTagged(sent, readTransport(sent.client), next));
    return post({ ...client, interceptor: around }, req, options);
  }
  run.info = method.info;
  return run as never;
}

function sendDirectly(call: Call, next: Next): Promise<unknown> {
  return next(call);
}

/** The longest URL that is sent, in bytes. Servers accept a path and query of this length. */
const urlMaxBytes = 2_000;

/** Sends the request of a call by POST in another form. */
function readTransport({ transport: given = fetch, reads }: Client): Transport {
  const transport = given as Transport;
  return (url, init) => {
    const json = canonicalJson(String(init.body));
    const target = `${url}?q=${encodeURIComponent(json)}`;
    if (target.length > urlMaxBytes)
      return transport(url, reads === "query" ? { ...init, method: "QUERY", body: json } : init);
    const { "Content-Type": _json, ...headers } = init.headers;
    return transport(target, { ...init, method: "GET", headers, body: null });
  };
}
