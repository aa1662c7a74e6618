/** Status and headers of the response to a call. */
import type { CallOptions, Client } from "./client.ts";
import type { RpcError } from "./errors.ts";
import type { Method } from "./method.ts";
import type { Answer } from "./result.ts";
import type { Transport, TransportResponse } from "./transport.ts";

/** The response is undefined if an interceptor returned the value without sending a request. */
export interface WithResponse<Value> {
  readonly value: Value;
  readonly response: Pick<TransportResponse, "status" | "headers"> | undefined;
}

type Arguments<Req> = undefined extends Req
  ? [req?: Req, options?: CallOptions]
  : [req: Req, options?: CallOptions];

/**
 * Calls a method and returns its value with status and headers of the last response:
 * `const { value, response } = await withResponse(listOrders, client, req)`.
 */
export function withResponse<Req, Res, Err extends RpcError>(
  method: Method<Req, Res, Err>,
  client: Client,
  ...rest: Arguments<NoInfer<Req>>
): Answer<WithResponse<Res>, Err> {
  const call = method as unknown as (client: Client, ...rest: readonly unknown[]) => Promise<Res>;
  let response: TransportResponse | undefined;
  const transport: Transport = async (url, init) => {
    response = await (client.transport ?? fetch)(url, init);
    return response;
  };
  return call({ ...client, transport }, ...rest).then((value) => ({ value, response }));
}
