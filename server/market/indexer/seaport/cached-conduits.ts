import { DatabaseFault } from "../../../base/storage/fault.ts";
import { seaportOf } from "../../../chain/networks/markets.ts";
import type { Network } from "../../../chain/networks/network.ts";
import { type Chain, ChainBusy, ChainFailure } from "../../../chain/rpc/chain.ts";
import type { Conduits } from "./conduits.ts";

/** Reads the conduits of each chain once. If the chain cannot be queried, throws DatabaseFault, so that the follower retries the block. */
export function cachedConduits(
  networks: readonly Network[],
  chainOf: (chainId: number) => Promise<Chain>,
): (chainId: number) => Promise<Conduits> {
  const cache = new Map<number, Promise<Conduits>>();
  const addresses = new Map(networks.map(({ chainId, markets }) => [chainId, seaportOf(markets)?.address]));

  async function read(chainId: number): Promise<Conduits> {
    try {
      const { queryConduits } = await import("./viem/query-seaport.ts");
      const seaport = addresses.get(chainId) ?? "";
      return await queryConduits({ chain: await chainOf(chainId), seaport, blockHash: undefined });
    } catch (err) {
      cache.delete(chainId);
      if (!(err instanceof ChainFailure || err instanceof ChainBusy)) throw err;
      throw new DatabaseFault("the conduit controller of Seaport could not be read from the chain", {
        cause: err,
      });
    }
  }

  return (chainId) => {
    const conduits = cache.get(chainId) ?? read(chainId);
    cache.set(chainId, conduits);
    return conduits;
  };
}
