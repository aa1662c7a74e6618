import type { Transport } from "./transport.ts";

/**
 * Calls a server in the same process, without a network: `memoryTransport(fetchHandler(server))`. For tests and for
 * servers that call themselves. The client may have any URL.
 */
export function memoryTransport(serve: (request: Request) => Promise<Response>): Transport {
  return (url, { method, headers, body, signal }) =>
    serve(new Request(url, { method, headers, body, signal }));
}
