import { Counter, Gauge, type Registry } from "prom-client";

/** Metrics of followed chains, labeled by the chain's name, from the replica that follows the chain. */
export class ChainMetrics {
  readonly #metrics: ReturnType<typeof createChainMetrics>;
  /** Chains that this replica follows. A report may still arrive after another replica has taken over. */
  readonly #followed = new Set<string>();
  readonly #committed = new Map<string, number>();
  /** The times of the newest blocks, in seconds since 1970. */
  readonly #timestamps = new Map<string, number>();

  constructor(registry: Registry) {
    const factory = new MetricFactory(registry);
    this.#metrics = createChainMetrics(factory);
    factory.collectedGauge(
      "platform_chain_block_age_seconds",
      "Time since the newest block that any node has was mined, by its timestamp",
      ["chain"],
      (gauge) => {
        for (const [chain, timestamp] of this.#timestamps)
          gauge.set({ chain }, Math.max(0, Date.now() / 1_000 - timestamp));
      },
    );
  }

  /** `timestamp` is that of the newest block, in seconds since 1970. */
  headDated(chain: string, timestamp: number): void {
    if (this.#followed.has(chain)) this.#timestamps.set(chain, timestamp);
  }

  /** The chain is configured to be followed. Without this value, a chain that no replica follows would have none. */
  configured(chain: string, derivers: readonly string[]): void {
    // Alerts see an increase only if the counter was scraped before.
    for (const deriver of derivers) this.#metrics.skipped.inc({ chain, deriver }, 0);
    const { failures, blocks, logs, reorganizations, undone } = this.#metrics;
    for (const counter of [failures, blocks, logs, reorganizations, undone]) counter.inc({ chain }, 0);
    this.#metrics.followed.set({ chain }, this.#followed.has(chain) ? 1 : 0);
  }

  /** `block` is the last one whose records are committed. */
  followStarted(chain: string, block: number): void {
    this.#followed.add(chain);
    this.#metrics.followed.set({ chain }, 1);
    this.#committedAt(chain, block);
  }

  /** Removes all values that only the replica that follows the chain knows: they would be outdated, and alerts take the worst of all replicas. */
  followEnded(chain: string): void {
    this.#followed.delete(chain);
    this.#timestamps.delete(chain);
    this.#committed.delete(chain);
    this.#metrics.followed.set({ chain }, 0);
    for (const gauge of [this.#metrics.block, this.#metrics.lag]) gauge.remove({ chain });
  }

  /** The chain waits for the operator. This replica still follows it, so that its lag grows. */
  stopped(chain: string): void {
    this.#metrics.followed.set({ chain }, 0);
  }

  /** The operator has restarted a chain, which may have been stopped. */
  restarted(chain: string): void {
    if (this.#followed.has(chain)) this.#metrics.followed.set({ chain }, 1);
  }

  /** The lag grows with the newest block, even if no block is committed any more. */
  headSeen(chain: string, head: number): void {
    if (!this.#followed.has(chain)) return;
    const block = this.#committed.get(chain);
    if (block !== undefined) this.#metrics.lag.set({ chain }, Math.max(0, head - block));
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
    this.#metrics.blocks.inc({ chain }, blocks);
    this.#metrics.logs.inc({ chain }, logs);
  }

  #committedAt(chain: string, block: number): void {
    this.#metrics.block.set({ chain }, block);
    this.#committed.set(chain, block);
  }

  reorganized(chain: string, depth: number): void {
    this.#metrics.reorganizations.inc({ chain });
    this.#metrics.undone.inc({ chain }, depth);
  }

  skipped(chain: string, deriver: string): void {
    this.#metrics.skipped.inc({ chain, deriver });
  }

  failed(chain: string): void {
    this.#metrics.failures.inc({ chain });
  }
}

function createChainMetrics(factory: MetricFactory) {
  return {
    followed: factory.gauge("platform_chain_followed", "1 while this replica follows the chain", "chain"),
    block: factory.gauge("platform_chain_block", "Last block whose records are committed", "chain"),
    lag: factory.gauge(
      "platform_chain_lag_blocks",
      "Blocks between the newest block and the last committed one",
      "chain",
    ),
    blocks: factory.counter("platform_chain_blocks_total", "Blocks committed", "chain"),
    logs: factory.counter("platform_chain_logs_total", "Logs handed to derivers", "chain"),
    reorganizations: factory.counter(
      "platform_chain_reorganizations_total",
      "Reorganizations undone",
      "chain",
    ),
    undone: factory.counter(
      "platform_chain_blocks_undone_total",
      "Blocks undone by reorganizations",
      "chain",
    ),
    skipped: factory.counter(
      "platform_chain_records_skipped_total",
      "Records that a deriver failed to derive and skipped",
      "chain",
      "deriver",
    ),
    failures: factory.counter(
      "platform_chain_failures_total",
      "Failures to follow the chain, which are retried",
      "chain",
    ),
  };
}

/** Metrics of the nodes of chains. The label `node` is the node's index in the configuration, from 0. */
export class NodeMetrics {
  readonly #factory: MetricFactory;
  readonly #metrics: ReturnType<typeof createNodeMetrics>;
  /** Labels of the nodes that are ignored. */
  readonly #ignored = new Set<string>();

  constructor(registry: Registry) {
    this.#factory = new MetricFactory(registry);
    this.#metrics = createNodeMetrics(this.#factory);
  }

  /** The chain has this number of nodes. */
  configured(chain: string, nodes: number): void {
    for (let node = 0; node < nodes; node++) {
      for (const counter of [this.#metrics.refused, this.#metrics.demotions])
        counter.inc({ chain, node: String(node) }, 0);
      this.#metrics.ofAnotherChain.set({ chain, node: String(node) }, 0);
    }
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

  /** Returns whether the state has changed. */
  ofAnotherChain(chain: string, node: number, isOfAnotherChain: boolean): boolean {
    const key = `${chain}/${node}`;
    if (isOfAnotherChain === this.#ignored.has(key)) return false;
    if (isOfAnotherChain) this.#ignored.add(key);
    else this.#ignored.delete(key);
    this.#metrics.ofAnotherChain.set({ chain, node: String(node) }, isOfAnotherChain ? 1 : 0);
    return true;
  }

  /** Called when the metrics are read, `healthy` returns by chain name whether each node is not demoted. */
  watch(healthy: () => ReadonlyMap<string, readonly boolean[]>): void {
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
  }
}

function createNodeMetrics(factory: MetricFactory) {
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
    ofAnotherChain: factory.gauge(
      "platform_chain_node_of_another_chain",
      "1 while the node reports another chain id and is ignored; the label is its index in the configuration, from 0",
      "chain",
      "node",
    ),
  };
}

/** Creates the metrics of one registry. */
class MetricFactory {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: this.#registers });
  }

  gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: this.#registers });
  }

  /** `collect` sets the values each time that the metrics are read. */
  collectedGauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    collect: (gauge: Gauge<Label>) => void,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: this.#registers,
      collect() {
        // Chains that this replica no longer follows have no value.
        this.reset();
        collect(this);
      },
    });
  }
}
