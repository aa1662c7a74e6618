import type { Network } from "../../chain/networks/network.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { CallContext } from "./call-context.ts";

/**
 * The network that a call is for. A request that names none of this host's, or another than its path, was refused before its
 * handler (`server/host/http/request-checks.ts`), whichever method it is of.
 */
export function networkOf(
  networks: Networks,
  { chainId }: { readonly chainId?: string | undefined },
  pathNetwork?: CallContext["pathNetwork"],
): Network {
  const network = networks.ofCall({ pathNetwork, chainId });
  if (typeof network === "string") throw new Error(`requests are checked before their handlers; ${network}`);
  return network;
}
