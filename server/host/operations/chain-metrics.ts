import { Counter, Gauge, type Registry } from "prom-client";
import type { LearnedNodeRate } from "../../chain/rpc/nodes/node-budgets.ts";

export interface WatchedNodes {
  /** By chain name: whether each node is healthy, that is, not demoted. */
  readonly healthy: () => ReadonlyMap<string, readonly boolean[]>;
  readonly learnedRates: () => readonly LearnedNodeRate[];
}

/** Metrics of followed chains, labelled by the chain's name, from the replica that follows the chain. */
export class ChainMetrics {
  readonly #leads: Gauge<"chain">;
  readonly #block: Gauge<"chain">;
  readonly #lag: Gauge<"chain">;
  readonly #blocks: Counter<"chain">;
  readonly #logs: Counter<"chain">;
  readonly #reorganisations: Counter<"chain">;
  readonly #undone: Counter<"chain">;
  readonly #parked: Counter<"chain" | "deriver">;
  readonly #failures: Counter<"chain">;
  readonly #demotions: Counter<"chain">;
  readonly #falseResponses: Counter<"chain" | "node">;
  readonly #ofAnotherChain: Gauge<"chain" | "node">;
  readonly #requests: Counter<"chain" | "node" | "method">;
  readonly #weight: Counter<"chain" | "node" | "method">;
  readonly #refused: Counter<"chain" | "node">;
  readonly #headAge: Gauge<"chain">;
  /** Chains that this replica leads. A report may still arrive after the lead was lost. */
  readonly #led = new Set<string>();
  /** The newest known block of each chain that this replica leads, and when it was first seen. */
  readonly #heads = new Map<string, { readonly head: number; readonly seenAtMs: number }>();
  readonly #committed = new Map<string, number>();
  /** Labels of the nodes that are ignored. */
  readonly #ignoredNodes = new Set<string>();

  constructor(registry: Registry) {
    const registers = [registry];
    // For metrics whose only label is the chain.
    const chainOptions = { labelNames: ["chain"] as const, registers };
    this.#leads = new Gauge({
      name: "platform_chain_followed",
      help: "1 while this replica follows the chain",
      ...chainOptions,
    });
    this.#block = new Gauge({
      name: "platform_chain_block",
      help: "Last block whose records are committed",
      ...chainOptions,
    });
    this.#lag = new Gauge({
      name: "platform_chain_lag_blocks",
      help: "Blocks between the newest block and the last committed one",
      ...chainOptions,
    });
    this.#blocks = new Counter({
      name: "platform_chain_blocks_total",
      help: "Blocks committed",
      ...chainOptions,
    });
    this.#logs = new Counter({
      name: "platform_chain_logs_total",
      help: "Logs handed to derivers",
      ...chainOptions,
    });
    this.#reorganisations = new Counter({
      name: "platform_chain_reorganisations_total",
      help: "Reorganisations undone",
      ...chainOptions,
    });
    this.#undone = new Counter({
      name: "platform_chain_blocks_undone_total",
      help: "Blocks undone by reorganisations",
      ...chainOptions,
    });
    this.#parked = new Counter({
      name: "platform_chain_parked_total",
      help: "Records that a deriver failed to derive",
      labelNames: ["chain", "deriver"],
      registers,
    });
    this.#failures = new Counter({
      name: "platform_chain_failures_total",
      help: "Logged failures to follow the chain, which are retried: at most one a minute",
      ...chainOptions,
    });
    this.#demotions = new Counter({
      name: "platform_chain_node_demotions_total",
      help: "How often the follower demoted a node that failed, returned invalid data or belongs to another chain",
      ...chainOptions,
    });
    this.#falseResponses = new Counter({
      name: "platform_chain_false_responses_total",
      help: "How often a node was demoted because a response contradicts a hash; the label is its index in the configuration, from 0",
      labelNames: ["chain", "node"],
      registers,
    });
    this.#ofAnotherChain = new Gauge({
      name: "platform_chain_node_of_another_chain",
      help: "1 while the node reports another chain id and is ignored; the label is its index in the configuration, from 0",
      labelNames: ["chain", "node"],
      registers,
    });
    const heads = this.#heads;
    this.#headAge = new Gauge({
      name: "platform_chain_head_age_seconds",
      help: "Time since the nodes reported a new newest block",
      ...chainOptions,
      collect() {
        for (const [chain, { seenAtMs }] of heads)
          this.set({ chain }, (performance.now() - seenAtMs) / 1_000);
      },
    });
    this.#requests = new Counter({
      name: "platform_chain_node_requests_total",
      help: "JSON-RPC requests sent to the node, whose label is its index in the configuration, from 0",
      labelNames: ["chain", "node", "method"],
      registers,
    });
    this.#weight = new Counter({
      name: "platform_chain_node_weight_total",
      help: "Weight of these requests: what they take from maxPerSecond of the node",
      labelNames: ["chain", "node", "method"],
      registers,
    });
    this.#refused = new Counter({
      name: "platform_chain_node_refused_total",
      help: "Requests that the node refused because of a limit, such as HTTP 429",
      labelNames: ["chain", "node"],
      registers,
    });
  }

  requested(chain: string, node: number, method: string, weight: number): void {
    const labels = { chain, node: String(node), method };
    this.#requests.inc(labels);
    this.#weight.inc(labels, weight);
  }

  refused(chain: string, node: number): void {
    this.#refused.inc({ chain, node: String(node) });
  }

  /** Returns whether the state has changed. */
  nodeOfAnotherChain(chain: string, node: number, isOfAnotherChain: boolean): boolean {
    const key = `${chain}/${node}`;
    if (isOfAnotherChain === this.#ignoredNodes.has(key)) return false;
    if (isOfAnotherChain) this.#ignoredNodes.add(key);
    else this.#ignoredNodes.delete(key);
    this.#ofAnotherChain.set({ chain, node: String(node) }, isOfAnotherChain ? 1 : 0);
    return true;
  }

  /** Reads the state of the nodes when the metrics are read. */
  watchNodes(registry: Registry, { healthy, learnedRates }: WatchedNodes): void {
    const ignored = this.#ignoredNodes;
    new Gauge({
      name: "platform_chain_nodes_healthy",
      help: "Nodes that are neither demoted nor of another chain",
      labelNames: ["chain"],
      registers: [registry],
      collect() {
        // The nodes of a chain that this replica no longer leads are unknown.
        this.reset();
        for (const [chain, nodes] of healthy())
          this.set({ chain }, nodes.filter((is, node) => is && !ignored.has(`${chain}/${node}`)).length);
      },
    });
    new Gauge({
      name: "platform_chain_node_learned_rate",
      help: "Weight per second to which the host limits itself, because the node refused more and maxPerSecond is not set",
      labelNames: ["chain", "node"],
      registers: [registry],
      collect() {
        // A learned rate may turn out to be wrong.
        this.reset();
        for (const { network, node, perSecond } of learnedRates())
          this.set({ chain: network, node: String(node) }, perSecond);
      },
    });
  }

  /** The chain is configured to be followed. Without this value, a chain that no replica follows would have none. */
  configured(chain: string): void {
    this.#leads.set({ chain }, this.#led.has(chain) ? 1 : 0);
  }

  /** `block` is the last one whose records are committed, so that the lag is known before this replica commits any. */
  leadTaken(chain: string, block: number): void {
    this.#led.add(chain);
    this.#leads.set({ chain }, 1);
    this.#committedAt(chain, block);
  }

  /** Removes all values that only the leading replica knows: they would be outdated, and alerts take the worst of all replicas. */
  leadLost(chain: string): void {
    this.#led.delete(chain);
    this.#heads.delete(chain);
    this.#committed.delete(chain);
    this.#leads.set({ chain }, 0);
    for (const gauge of [this.#block, this.#lag, this.#headAge]) gauge.remove({ chain });
  }

  /** The chain waits for the operator. This replica still leads it, so that its lag grows. */
  stopped(chain: string): void {
    this.#leads.set({ chain }, 0);
  }

  /** The operator has restarted a chain, which may have been stopped. */
  restarted(chain: string): void {
    if (this.#led.has(chain)) this.#leads.set({ chain }, 1);
  }

  /** The lag grows with the newest block, even if no block is committed any more. */
  headSeen(chain: string, head: number): void {
    if (!this.#led.has(chain)) return;
    if (head !== this.#heads.get(chain)?.head) this.#heads.set(chain, { head, seenAtMs: performance.now() });
    const block = this.#committed.get(chain);
    if (block !== undefined) this.#lag.set({ chain }, Math.max(0, head - block));
  }

  advanced(
    chain: string,
    {
      block,
      head,
      blocks,
      logs,
    }: { readonly block: number; readonly head: number; readonly blocks: number; readonly logs: number },
  ): void {
    this.#committedAt(chain, block);
    this.headSeen(chain, Math.max(head, block));
    this.#blocks.inc({ chain }, blocks);
    this.#logs.inc({ chain }, logs);
  }

  #committedAt(chain: string, block: number): void {
    this.#block.set({ chain }, block);
    this.#committed.set(chain, block);
  }

  reorganised(chain: string, depth: number): void {
    this.#reorganisations.inc({ chain });
    this.#undone.inc({ chain }, depth);
  }

  parked(chain: string, deriver: string): void {
    this.#parked.inc({ chain, deriver });
  }

  failed(chain: string): void {
    this.#failures.inc({ chain });
  }

  falseResponse(chain: string, node: number): void {
    this.#falseResponses.inc({ chain, node: String(node) });
  }

  nodeDemoted(chain: string): void {
    this.#demotions.inc({ chain });
  }
}
