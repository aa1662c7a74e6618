import type { RpcFailure } from "ridlkit-runtime/handler";
import { rpcError, type SchemaErrorName } from "../../../generated/server.ts";
import { CallTooLong, DatabaseBusy, DatabaseFault } from "../../base/storage/fault.ts";
import { ChainBusy } from "../../chain/rpc/chain.ts";
import { overloaded, tooLong } from "../overloaded.ts";

/**
 * Maps faults of the database and of chain nodes to the failures that every method may return: unavailable, or too busy. Handlers
 * need not catch them.
 */
export function dependencyFailure(thrown: unknown): RpcFailure<SchemaErrorName> | undefined {
  if (thrown instanceof DatabaseBusy || thrown instanceof ChainBusy) return overloaded();
  if (thrown instanceof CallTooLong) return tooLong(thrown);
  if (thrown instanceof DatabaseFault) return rpcError.QueryFailed({ cause: thrown });
  return undefined;
}
