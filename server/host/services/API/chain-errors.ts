import type { ErrorMakers, RpcFailure } from "../../../../generated/runtime/v1/server.ts";
import { ChainFailure, NoNodes } from "../../../chain/rpc/chain.ts";

export type ChainErrorName = "Unavailable" | "QueryFailed";

/** Maps the reasons why a chain could not be read to errors of the contract. Rethrows everything else. */
export function chainFailure(errors: ErrorMakers<ChainErrorName>, err: unknown): RpcFailure<ChainErrorName> {
  if (err instanceof NoNodes) return errors.Unavailable({ cause: err.message, expose: true });
  if (err instanceof ChainFailure) return errors.QueryFailed({ cause: err.message, expose: true });
  throw err;
}
