/** Methods with `@resume`: streams that continue after the last item that was read. */
import type { Client } from "./client.ts";
import type { RpcError } from "./errors.ts";
import type { StreamOptions } from "./stream.ts";
import type { StreamMethod } from "./stream-method.ts";
import type { Transport } from "./transport.ts";

/** A stream that continues after the last item that was read. The option `resume` takes precedence. */
export interface ResumableMethod<Req, Item, Err extends RpcError> extends StreamMethod<Req, Item, Err> {
  readonly resumes: true;
}

/** Creates the requests that continue a stream. */
export interface Resume<Req, Item> {
  readonly after: (req: Req, item: Item) => Req;
  /** `position` is where the server started, as its header `Stream-Position` reports. */
  readonly start: (req: Req, position: string) => Req;
}

/**
 * Adds the requests that continue a stream to a new method. Generated code calls this at module level, so it must have no
 * side effects.
 */
export function resumable<Req, Item, Err extends RpcError>(
  method: StreamMethod<Req, Item, Err>,
  { after, start }: Resume<Req, Item>,
): ResumableMethod<Req, Item, Err> {
  const run: StreamMethod<Req, Item, Err> = Object.assign(
    (client: Client, req: Req, options?: StreamOptions<Req, Item>) => {
      if (options?.resume !== undefined) return method(client, req, options);
      const { transport = fetch } = client;
      // Items may be published between a connection and its first item. The position closes this gap.
      let position: string | null = null;
      const noting: Transport = async (url, init) => {
        const response = await transport(url, init);
        position ??= response.headers.get("stream-position");
        return response;
      };
      const resume = (first: Req, last: Item | undefined): Req =>
        last !== undefined ? after(first, last) : position !== null ? start(first, position) : first;
      return method({ ...client, transport: noting }, req, { ...options, resume });
    },
    { info: method.info },
  );
  return Object.assign(run, { resumes: true as const });
}
