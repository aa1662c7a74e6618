import { toldOf } from "../networks/missing.ts";
import type { Network } from "../networks/network.ts";
import { type Chain, NoNodes } from "./chain.ts";
import { type ChainLimits, chainLimits } from "./limits.ts";

/** The chains of one host, each opened when it is first asked: a host that asks none loads no client. */
export class Chains {
  readonly #limits: ChainLimits;
  readonly #open = new Map<number, Promise<Chain>>();

  constructor(limits: ChainLimits = chainLimits) {
    this.#limits = limits;
  }

  /** Throws NoNodes if the network has none. */
  of(network: Network): Promise<Chain> {
    if (network.rpcUrls.length === 0)
      return Promise.reject(new NoNodes(toldOf(network, `no node of ${network.name} is configured here`)));
    let chain = this.#open.get(network.chainId);
    if (chain === undefined) {
      chain = import("./viem/open-chain.ts").then(({ openChain }) => openChain(network, this.#limits));
      this.#open.set(network.chainId, chain);
    }
    return chain;
  }
}
