import type { Registry } from "prom-client";
import type { LearnedNodeRate } from "../../chain/rpc/nodes/metered-nodes.ts";
import { MetricFactory } from "./metric-factory.ts";

export interface WatchedNodes {
  /** By chain name: whether each node is healthy, that is, not demoted. */
  readonly healthy: () => ReadonlyMap<string, readonly boolean[]>;
  readonly learnedRates: () => readonly LearnedNodeRate[];
}

/** Metrics of the nodes of chains. The label `node` is the node's index in the configuration, from 0. */
export class NodeMetrics {
  readonly #factory: MetricFactory;
  readonly #metrics: ReturnType<typeof createMetrics>;
  /** Labels of the nodes that are ignored. */
  readonly #ignored = new Set<string>();

  constructor(registry: Registry) {
    this.#factory = new MetricFactory(registry);
    this.#metrics = createMetrics(this.#factory);
  }

  requested(chain: string, node: number, method: string, weight: number): void {
    const labels = { chain, node: String(node), method };
    this.#metrics.requests.inc(labels);
    this.#metrics.weight.inc(labels, weight);
  }

  refused(chain: string, node: number): void {
    this.#metrics.refused.inc({ chain, node: String(node) });
  }

  demoted(chain: string, node: number): void {
    this.#metrics.demotions.inc({ chain, node: String(node) });
  }

  falseResponse(chain: string, node: number): void {
    this.#metrics.falseResponses.inc({ chain, node: String(node) });
  }

  /** Returns whether the state has changed. */
  ofAnotherChain(chain: string, node: number, isOfAnotherChain: boolean): boolean {
    const key = `${chain}/${node}`;
    if (isOfAnotherChain === this.#ignored.has(key)) return false;
    if (isOfAnotherChain) this.#ignored.add(key);
    else this.#ignored.delete(key);
    this.#metrics.ofAnotherChain.set({ chain, node: String(node) }, isOfAnotherChain ? 1 : 0);
    return true;
  }

  /** Reads the state of the nodes when the metrics are read. */
  watch({ healthy, learnedRates }: WatchedNodes): void {
    this.#factory.collectedGauge(
      "platform_chain_nodes_healthy",
      "Nodes that are neither demoted nor of another chain",
      ["chain"],
      (gauge) => {
        for (const [chain, nodes] of healthy()) {
          const isUsed = (isHealthy: boolean, node: number): boolean =>
            isHealthy && !this.#ignored.has(`${chain}/${node}`);
          gauge.set({ chain }, nodes.filter(isUsed).length);
        }
      },
    );
    this.#factory.collectedGauge(
      "platform_chain_node_learned_rate",
      "Weight per second to which the host limits itself, because the node refused more and maxPerSecond is not set",
      ["chain", "node"],
      (gauge) => {
        for (const { network, node, perSecond } of learnedRates())
          gauge.set({ chain: network, node: String(node) }, perSecond);
      },
    );
  }
}

function createMetrics(factory: MetricFactory) {
  return {
    requests: factory.counter(
      "platform_chain_node_requests_total",
      "JSON-RPC requests sent to the node, whose label is its index in the configuration, from 0",
      "chain",
      "node",
      "method",
    ),
    weight: factory.counter(
      "platform_chain_node_weight_total",
      "Weight of these requests: what they take from maxPerSecond of the node",
      "chain",
      "node",
      "method",
    ),
    refused: factory.counter(
      "platform_chain_node_refused_total",
      "Requests that the node refused because of a limit, such as HTTP 429",
      "chain",
      "node",
    ),
    demotions: factory.counter(
      "platform_chain_node_demotions_total",
      "How often the follower demoted a node that failed, returned invalid data or belongs to another chain",
      "chain",
      "node",
    ),
    falseResponses: factory.counter(
      "platform_chain_false_responses_total",
      "How often a node was demoted because a response contradicts a hash; the label is its index in the configuration, from 0",
      "chain",
      "node",
    ),
    ofAnotherChain: factory.gauge(
      "platform_chain_node_of_another_chain",
      "1 while the node reports another chain id and is ignored; the label is its index in the configuration, from 0",
      "chain",
      "node",
    ),
  };
}
