import type { Network } from "../../chain/networks/network.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { CallContext } from "./call-context.ts";

/**
 * Returns the network of a call. Requests for unknown networks, or for another network than their path, never reach a handler:
 * `server/host/http/request-checks.ts` rejects them.
 */
export function networkOf(
  networks: Networks,
  { chainId }: { readonly chainId?: string | undefined },
  pathNetwork?: CallContext["pathNetwork"],
): Network {
  const network = networks.forCall({ pathNetwork, chainId });
  if (typeof network === "string")
    throw new Error(`the request was not checked before its handler: ${network}`);
  return network;
}
