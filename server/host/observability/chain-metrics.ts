import type { Registry } from "prom-client";
import { MetricFactory } from "./metric-factory.ts";

/** Metrics of followed chains, labelled by the chain's name, from the replica that follows the chain. */
export class ChainMetrics {
  readonly #metrics: ReturnType<typeof createMetrics>;
  /** Chains that this replica leads. A report may still arrive after the lead was lost. */
  readonly #led = new Set<string>();
  /** The newest known block of each chain that this replica leads, and when it was first seen. */
  readonly #heads = new Map<string, { readonly head: number; readonly seenAtMs: number }>();
  readonly #committed = new Map<string, number>();

  constructor(registry: Registry) {
    const factory = new MetricFactory(registry);
    this.#metrics = createMetrics(factory);
    factory.collectedGauge(
      "platform_chain_head_age_seconds",
      "Time since the nodes reported a new newest block, or since this replica follows the chain",
      ["chain"],
      (gauge) => {
        for (const [chain, { seenAtMs }] of this.#heads)
          gauge.set({ chain }, (performance.now() - seenAtMs) / 1_000);
      },
    );
  }

  /** The chain is configured to be followed. Without this value, a chain that no replica follows would have none. */
  configured(chain: string): void {
    this.#metrics.leads.set({ chain }, this.#led.has(chain) ? 1 : 0);
  }

  /** `block` is the last one whose records are committed. Until the nodes respond, it is the newest known block. */
  leadTaken(chain: string, block: number): void {
    this.#led.add(chain);
    this.#metrics.leads.set({ chain }, 1);
    this.#committedAt(chain, block);
    this.#heads.set(chain, { head: block, seenAtMs: performance.now() });
  }

  /** Removes all values that only the leading replica knows: they would be outdated, and alerts take the worst of all replicas. */
  leadLost(chain: string): void {
    this.#led.delete(chain);
    this.#heads.delete(chain);
    this.#committed.delete(chain);
    this.#metrics.leads.set({ chain }, 0);
    for (const gauge of [this.#metrics.block, this.#metrics.lag]) gauge.remove({ chain });
  }

  /** The chain waits for the operator. This replica still leads it, so that its lag grows. */
  stopped(chain: string): void {
    this.#metrics.leads.set({ chain }, 0);
  }

  /** The operator has restarted a chain, which may have been stopped. */
  restarted(chain: string): void {
    if (this.#led.has(chain)) this.#metrics.leads.set({ chain }, 1);
  }

  /** The lag grows with the newest block, even if no block is committed any more. */
  headSeen(chain: string, head: number): void {
    if (!this.#led.has(chain)) return;
    if (head !== this.#heads.get(chain)?.head) this.#heads.set(chain, { head, seenAtMs: performance.now() });
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

  reorganised(chain: string, depth: number): void {
    this.#metrics.reorganisations.inc({ chain });
    this.#metrics.undone.inc({ chain }, depth);
  }

  skipped(chain: string, deriver: string): void {
    this.#metrics.skipped.inc({ chain, deriver });
  }

  failed(chain: string): void {
    this.#metrics.failures.inc({ chain });
  }
}

function createMetrics(factory: MetricFactory) {
  return {
    leads: factory.gauge("platform_chain_followed", "1 while this replica follows the chain", "chain"),
    block: factory.gauge("platform_chain_block", "Last block whose records are committed", "chain"),
    lag: factory.gauge(
      "platform_chain_lag_blocks",
      "Blocks between the newest block and the last committed one",
      "chain",
    ),
    blocks: factory.counter("platform_chain_blocks_total", "Blocks committed", "chain"),
    logs: factory.counter("platform_chain_logs_total", "Logs handed to derivers", "chain"),
    reorganisations: factory.counter(
      "platform_chain_reorganisations_total",
      "Reorganisations undone",
      "chain",
    ),
    undone: factory.counter(
      "platform_chain_blocks_undone_total",
      "Blocks undone by reorganisations",
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
      "Logged failures to follow the chain, which are retried: at most one a minute",
      "chain",
    ),
  };
}
