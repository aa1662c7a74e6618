import type { ContractInfo } from "../../../generated/types.ts";
import type { ContractTypes } from "../../chain/contract-types/contract-types.ts";
import type { Network } from "../../chain/networks/network.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import type { Chains } from "../../chain/rpc/chains.ts";
import { findContractInfos } from "../../market/indexer/currencies/contract-info.ts";
import type { CallContext } from "./call-context.ts";
import { contractInfoResponse } from "./market-responses.ts";

export type ContractInfos = (
  ctx: { readonly context: CallContext; readonly signal: AbortSignal },
  network: Network,
  addresses: readonly string[],
) => Promise<ContractInfo[]>;

/** Returns a function that returns what is known of contracts, in the given order. */
export function contractInfosOf({
  chains,
  contractTypes,
}: {
  readonly chains: Chains;
  readonly contractTypes: ContractTypes;
}): ContractInfos {
  return async ({ context, signal }, network, addresses) => {
    const source = {
      queries: context.database,
      chainId: network.chainId,
      types: contractTypes,
      openChain: () => chains.of(network, context.callerName),
      signal,
    };
    const infos = await findContractInfos(source, addresses as Hex[]);
    return infos.map((info) => contractInfoResponse(network.chainId, info));
  };
}
