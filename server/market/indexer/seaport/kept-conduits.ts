import { DatabaseFault } from "../../../base/storage/fault.ts";
import { seaportOf } from "../../../chain/networks/markets.ts";
import type { Network } from "../../../chain/networks/network.ts";
import { type Chain, ChainBusy, ChainFailure } from "../../../chain/rpc/chain.ts";
import type { Conduits } from "./conduits.ts";

/** Asked once a chain. While it cannot be asked its blocks wait. */
export function keptConduits(
  networks: readonly Network[],
  chainOf: (chainId: number) => Promise<Chain>,
): (chainId: number) => Promise<Conduits> {
  const kept = new Map<number, Promise<Conduits>>();
  const addresses = new Map(networks.map(({ chainId, markets }) => [chainId, seaportOf(markets)?.address]));

  async function ask(chainId: number): Promise<Conduits> {
    try {
      const { askConduits } = await import("./viem/ask-seaport.ts");
      const seaport = addresses.get(chainId) ?? "";
      return await askConduits({ chain: await chainOf(chainId), seaport, blockHash: undefined });
    } catch (err) {
      kept.delete(chainId);
      if (!(err instanceof ChainFailure || err instanceof ChainBusy)) throw err;
      throw new DatabaseFault("the chain does not say where the conduits of Seaport are", { cause: err });
    }
  }

  return (chainId) => {
    const asked = kept.get(chainId) ?? ask(chainId);
    kept.set(chainId, asked);
    return asked;
  };
}
