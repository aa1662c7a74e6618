/** Finds networks that the operator means to follow, but that a host would not follow. */
import { readDetails } from "./details.ts";
import { knownChains, localChain } from "./known-chains.ts";
import type { Network } from "./network.ts";
import { Networks } from "./networks.ts";
import type { NetworkSources } from "./settings.ts";

export interface FollowSources extends NetworkSources {
  /** Entries such as `polygon=0x…`, whose tokens are read from the chain. */
  readonly collections: readonly string[];
  /** Whether the host starts and follows the local chain, whatever is configured for it. */
  readonly sandboxChain: boolean;
}

/** Expects valid networks: their errors are those of `readNetworks`. */
export function faultsOfFollow(sources: FollowSources, served: readonly Network[]): readonly string[] {
  const networks = new Networks(served);
  const isLocal = (chainId: number): boolean => sources.sandboxChain && chainId === localChain.chainId;
  const faults = [...readDetails(sources.networkDetails, [])].flatMap(
    ([chainId, { name, follow, markets = [] }]) => {
      const network = networks.find(chainId);
      if (isLocal(chainId) || (follow === undefined && markets.length === 0)) return [];
      if (network === undefined)
        return `networkDetails.${name ?? knownChains().get(chainId)?.names[0] ?? chainId}: the network is not served, so it is not followed; add it to networks, or remove follow and markets`;
      return faultOf(network) ?? [];
    },
  );
  const unfollowed = sources.collections
    .map((entry) => networks.find(entry.split("=")[0] ?? ""))
    .filter((network) => network !== undefined)
    .filter(({ chainId, follow }) => follow === undefined && !isLocal(chainId));
  return [
    ...faults,
    ...new Set(
      unfollowed.map(
        ({ name }) =>
          `collections: ${name} is not followed, so its tokens are not read; set networkDetails.${name}.follow`,
      ),
    ),
  ];
}

function faultOf({ name, nodes, follow }: Network): string | undefined {
  if (follow === undefined)
    return `networkDetails.${name}.markets: orders are read only from a followed network; set networkDetails.${name}.follow, or remove markets`;
  return nodes.length > 0
    ? undefined
    : `networkDetails.${name}.follow: the network has no nodes; set RPC_URLS=${name}=https://…, or networkDetails.${name}.rpcUrls`;
}
