import { StartFault } from "../../base/start-fault.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { CollectionKey } from "./collections.ts";

/** `polygon=0x…@1000`, checked in its form. Throws StartFault for a network that is not served. */
export function readCollections(
  entries: readonly string[],
  networks: Networks,
): readonly (CollectionKey & { readonly fromBlock: number | undefined })[] {
  return entries.map((entry) => {
    const [name = "", rest = ""] = entry.split("=");
    const [address = "", from] = rest.split("@");
    const network = networks.find(name);
    if (network === undefined)
      throw new StartFault(`collections: there is no network "${name}" here; see: platform networks list`);
    return {
      chainId: network.chainId,
      address: address.toLowerCase(),
      fromBlock: from === undefined ? undefined : Number(from),
    };
  });
}
