import type { RefusalCounts } from "./nodes/refusal-rate.ts";

/** How much is sent to a node, in requests a second, each counted with its weight. */
export interface NodeRate {
  /** Of the configuration. */
  readonly maxPerSecond: number | undefined;
  /** Learned from refusals. Undefined if `maxPerSecond` is set, or if no limit is known. */
  readonly learnedPerSecond: number | undefined;
}

/**
 * Events about nodes for the operator's log and metrics. `network` is the network's name; `node` is the index in the configuration,
 * from 0. Implementations must not throw.
 */
export interface NodeEvents {
  /** A node turned out to be of another chain and is not used (`reason`), or is of its own chain again (undefined). */
  readonly nodeChainChanged: (network: string, node: number, reason: string | undefined) => void;
  /** A node returned a response that contradicts a hash. All parts of the host demote it for an hour. */
  readonly falseResponse: (network: string, node: number, reason: string) => void;
  /** A request is sent to a node. `weight` is what it takes from the node's budget. */
  readonly requested: (network: string, node: number, method: string, weight: number) => void;
  /** A node refused a request because of a limit of its provider. */
  readonly refused: (network: string, node: number) => void;
  /** Within a minute, a node refused more than 3 % of the requests. */
  readonly refusedOften: (network: string, node: number, counts: RefusalCounts & NodeRate) => void;
  /** A request was not sent before its deadline, because the node's budget was used up. At most once a minute. */
  readonly budgetExhausted: (network: string, node: number, rate: NodeRate) => void;
}

export const noNodeEvents: NodeEvents = {
  nodeChainChanged: () => {},
  falseResponse: () => {},
  requested: () => {},
  refused: () => {},
  refusedOften: () => {},
  budgetExhausted: () => {},
};
