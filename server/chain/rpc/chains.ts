import { setTimeout as sleep } from "node:timers/promises";
import { describeMissing } from "../networks/describe-missing.ts";
import type { Network } from "../networks/network.ts";
import { type Chain, NoNodes } from "./chain.ts";
import { type ChainLimits, chainLimits } from "./limits.ts";
import { type NodeEvents, noNodeEvents } from "./node-events.ts";
import { NodePool } from "./nodes/node-pool.ts";

interface Opened {
  readonly nodes: NodePool;
  chain: Promise<Chain> | undefined;
}

/** The chains of one host, each opened when it is first asked: a host that asks none loads no client. */
export class Chains {
  readonly #limits: ChainLimits;
  readonly #events: NodeEvents;
  readonly #open = new Map<number, Opened>();

  constructor(limits: ChainLimits = chainLimits, events: NodeEvents = noNodeEvents) {
    this.#limits = limits;
    this.#events = events;
  }

  /** Throws NoNodes if the network has none. */
  of(network: Network): Promise<Chain> {
    if (network.rpcUrls.length === 0)
      return Promise.reject(
        new NoNodes(describeMissing(network, `no node of ${network.name} is configured here`)),
      );
    const opened = this.#nodesOf(network);
    opened.chain ??= import("./viem/open-chain.ts").then(({ openChain }) =>
      openChain(network, opened.nodes, this.#limits),
    );
    return opened.chain;
  }

  /**
   * Of each network whose every node is of another chain, what is wrong with it. NodePool that have not said their chain yet are asked, and
   * waited for at most `maxMs` milliseconds. A network without nodes is not configured, and nothing is wrong with it.
   */
  async wrongNetworks(networks: readonly Network[], maxMs: number): Promise<readonly string[]> {
    const withNodes = networks.filter(({ rpcUrls }) => rpcUrls.length > 0);
    const meeting = Promise.all(withNodes.map((network) => this.#nodesOf(network).nodes.identifyNodes()));
    await Promise.race([meeting, sleep(maxMs, undefined, { ref: false })]);
    return withNodes.flatMap((network) => {
      const { mismatch } = this.#nodesOf(network).nodes;
      return mismatch === undefined ? [] : [`${network.name}: ${mismatch}`];
    });
  }

  #nodesOf(network: Network): Opened {
    let opened = this.#open.get(network.chainId);
    if (opened === undefined) {
      opened = { nodes: new NodePool(network, this.#limits, this.#events), chain: undefined };
      this.#open.set(network.chainId, opened);
    }
    return opened;
  }
}
