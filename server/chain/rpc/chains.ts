import { setTimeout as sleep } from "node:timers/promises";
import type { Network } from "../networks/network.ts";
import { describeMissing } from "../networks/networks.ts";
import { BlockCache } from "./block-cache.ts";
import { type Chain, NoNodes } from "./chain.ts";
import { nodeLimits } from "./node-limits.ts";
import { CallNodes, type CallNodesDependencies } from "./nodes/call-nodes.ts";
import { MeteredNodes } from "./nodes/metered-nodes.ts";

interface Opened {
  readonly nodes: CallNodes;
  readonly cache: BlockCache;
}

/** The chains of one part of the host. Each is opened on first use, so a host that calls no chain loads no client. */
export class Chains {
  readonly #dependencies: CallNodesDependencies;
  readonly #open = new Map<number, Opened>();

  constructor({
    limits = nodeLimits.calls,
    meteredNodes = new MeteredNodes(),
    share = "calls",
  }: Partial<CallNodesDependencies> = {}) {
    this.#dependencies = { limits, meteredNodes, share };
  }

  /** Callers take turns at the limits of nodes. Throws NoNodes if the network has no node. */
  async of(network: Network, caller?: string): Promise<Chain> {
    if (network.nodes.length === 0)
      throw new NoNodes(describeMissing(network, `no node of ${network.name} is configured here`));
    const { openChain } = await import("./viem/open-chain.ts");
    return openChain(network, { ...this.#openedOf(network), limits: this.#dependencies.limits, caller });
  }

  /**
   * Reports the networks all of whose nodes belong to another chain. Asks nodes whose chain is not known yet, for at most
   * `maxMs` milliseconds. A network without nodes is simply not configured, and is not reported.
   */
  async wrongNetworks(networks: readonly Network[], maxMs: number): Promise<readonly string[]> {
    const withNodes = networks.filter(({ nodes }) => nodes.length > 0);
    const identified = Promise.all(withNodes.map((network) => this.#openedOf(network).nodes.identifyNodes()));
    await Promise.race([identified, sleep(maxMs, undefined, { ref: false })]);
    return withNodes.flatMap((network) => {
      const { mismatch } = this.#openedOf(network).nodes;
      return mismatch === undefined ? [] : [`${network.name}: ${mismatch}`];
    });
  }

  #openedOf(network: Network): Opened {
    let opened = this.#open.get(network.chainId);
    if (opened === undefined) {
      const { maxSharedAgeMs: maxAgeMs, maxSharedResults: maxEntries } = this.#dependencies.limits;
      opened = {
        nodes: new CallNodes(network, this.#dependencies),
        cache: new BlockCache({ maxAgeMs, maxEntries }),
      };
      this.#open.set(network.chainId, opened);
    }
    return opened;
  }
}
