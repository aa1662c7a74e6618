import { StartFault } from "../../base/start-fault.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { CollectionKey } from "./followed-collections.ts";

/** Parses entries such as `polygon=0x…@1000`, whose form has been checked. Throws StartFault for an unknown network. */
export function readCollections(
  entries: readonly string[],
  networks: Networks,
): readonly (CollectionKey & { readonly fromBlock: number | undefined })[] {
  return entries.map((entry) => {
    const [name = "", rest = ""] = entry.split("=");
    const [address = "", from] = rest.split("@");
    const network = networks.find(name);
    if (network === undefined)
      throw new StartFault(`collections: unknown network "${name}"; see: platform networks list`);
    return {
      chainId: network.chainId,
      address: address.toLowerCase(),
      fromBlock: from === undefined ? undefined : Number(from),
    };
  });
}
