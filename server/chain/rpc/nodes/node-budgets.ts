import type { Network } from "../../networks/network.ts";
import { type NodeEvents, noNodeEvents } from "../node-events.ts";
import { BudgetExhausted } from "./faults.ts";
import { NodeBudget, type Share, type TakeOptions } from "./node-budget.ts";
import type { Refusal } from "./refusal.ts";
import { RefusalRate } from "./refusal-rate.ts";

/** What is sent to one node by all parts of the host. */
export interface MeteredNode {
  readonly budget: NodeBudget;
  /** Waits until the request may be sent, and counts it. Throws BudgetExhausted. */
  readonly take: (share: Share, method: string, options: TakeOptions) => Promise<void>;
  /** `reason` is logged. */
  readonly refused: (refusal: Refusal, reason: string) => void;
  /** Requests of a share so far. */
  readonly sent: (share: Share) => number;
}

/** Shortest interval between reports that a budget is used up, in milliseconds. */
const reportIntervalMs = 60_000;

/** The budgets of a host's nodes. A node has one budget, however many parts of the host use it. */
export class NodeBudgets {
  readonly events: NodeEvents;
  readonly #byChain = new Map<number, readonly MeteredNode[]>();

  constructor(events: NodeEvents = noNodeEvents) {
    this.events = events;
  }

  /** In the order of the network's nodes. */
  of(network: Pick<Network, "chainId" | "name" | "nodes">): readonly MeteredNode[] {
    const { chainId, name, nodes } = network;
    const metered = this.#byChain.get(chainId) ?? nodes.map((node, index) => this.#open(name, index, node));
    this.#byChain.set(chainId, metered);
    return metered;
  }

  #open(network: string, node: number, settings: Network["nodes"][number]): MeteredNode {
    const budget = new NodeBudget(settings);
    const refusals = new RefusalRate((counts) =>
      this.events.refusedOften(network, node, { ...counts, maxPerSecond: budget.perSecond }),
    );
    const sent: Record<Share, number> = { calls: 0, follower: 0, background: 0 };
    let reportedAt = Number.NEGATIVE_INFINITY;
    return {
      budget,
      take: async (share, method, options) => {
        try {
          await budget.take(share, method, options);
        } catch (err) {
          if (err instanceof BudgetExhausted && performance.now() - reportedAt >= reportIntervalMs) {
            reportedAt = performance.now();
            this.events.budgetExhausted(network, node, budget.perSecond);
          }
          throw err;
        }
        sent[share]++;
        refusals.sent();
        this.events.requested(network, node, method, budget.weightOf(method));
      },
      refused: ({ retryAfterMs }, reason) => {
        refusals.refused(reason);
        this.events.refused(network, node);
        if (retryAfterMs !== undefined) budget.pause(retryAfterMs);
      },
      sent: (share) => sent[share],
    };
  }
}
