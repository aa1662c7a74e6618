import type { RpcFailure } from "../../../generated/runtime/v1/server.ts";
import { builtinCode } from "../../../generated/runtime/v1/server.ts";
import { rpcError } from "../../../generated/server/index.ts";

/** Rejects a request whose shape breaks a rule that the schema cannot express. */
export function badRequest(cause: string): RpcFailure<never> {
  return rpcError.builtin(builtinCode.badRequest, { cause, expose: true });
}
