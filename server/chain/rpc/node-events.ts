/**
 * Events about nodes for the operator's log. `network` is the network's name; `node` is the index in the configuration, from 0.
 * Implementations must not throw.
 */
export interface NodeEvents {
  /** A node turned out to be of another chain and is not used (`reason`), or is of its own chain again (undefined). */
  readonly nodeChainChanged: (network: string, node: number, reason: string | undefined) => void;
}

export const noNodeEvents: NodeEvents = { nodeChainChanged: () => {} };
