import type { RpcFailure } from "../../../generated/runtime/v1/server.ts";
import { builtinCode } from "../../../generated/runtime/v1/server.ts";
import { rpcError } from "../../../generated/server/index.ts";

/** For a rule about the shape of a request that the schema cannot say. */
export function badRequest(cause: string): RpcFailure<never> {
  return rpcError.builtin(builtinCode.badRequest, { cause, expose: true });
}
