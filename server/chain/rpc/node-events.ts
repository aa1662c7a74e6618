/** What an operator is told of nodes. Networks are named; a node is named by its place in the configuration, from 0. None throws. */
export interface NodeEvents {
  /** The node turned out to be of another chain, and counts as absent (the reason), or is of its own chain again (undefined). */
  readonly nodeChainChanged: (network: string, node: number, reason: string | undefined) => void;
}

export const noNodeEvents: NodeEvents = { nodeChainChanged: () => {} };
