import type { Network } from "../../networks/network.ts";
import { nodeLimits } from "../node-limits.ts";
import { BudgetExhausted, type Refusal } from "./faults.ts";
import { NodeBudget, type Share, type TakeOptions } from "./node-budget.ts";

/** Call this function if the node refuses the request. `reason` is logged. */
export type NoteRefusal = (refusal: Refusal, reason: string) => void;

/** What all parts of the host share about one node. */
export interface MeteredNode {
  /** Whether a part of the host has found the node to be of another chain. */
  isOfAnotherChain: boolean;
  readonly budget: NodeBudget;
  /** Waits until the request may be sent, and counts it. Throws BudgetExhausted. */
  readonly take: (share: Share, method: string, options: TakeOptions) => Promise<NoteRefusal>;
  /** Counts a request that must not wait, because others wait for its response. Later requests wait for longer. */
  readonly count: (share: Share, method: string) => NoteRefusal;
}

const { backOffMs } = nodeLimits.budget;

/** Shortest interval between reports that a budget is used up, in milliseconds. */
const reportIntervalMs = 60_000;

/** The budgets of a host's nodes. A node has one budget, however many parts of the host use it. */
export class MeteredNodes {
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
    const { maxPerSecond } = settings;
    const refusals = new RefusalRate((counts) =>
      this.events.refusedOften(network, node, { ...counts, maxPerSecond }),
    );
    let reportedAt = Number.NEGATIVE_INFINITY;
    const noteSent = (method: string): NoteRefusal => {
      refusals.sent();
      this.events.requested(network, node, method, budget.weightOf(method));
      return ({ retryAfterMs }, reason) => {
        refusals.refused(reason);
        this.events.refused(network, node);
        budget.backOff(retryAfterMs ?? backOffMs);
      };
    };
    return {
      isOfAnotherChain: false,
      budget,
      take: async (share, method, options) => {
        try {
          await budget.take(share, method, options);
        } catch (err) {
          if (err instanceof BudgetExhausted && performance.now() - reportedAt >= reportIntervalMs) {
            reportedAt = performance.now();
            this.events.budgetExhausted(network, node, maxPerSecond);
          }
          throw err;
        }
        return noteSent(method);
      },
      count: (share, method) => {
        budget.owe(share, method);
        return noteSent(method);
      },
    };
  }
}

export interface RefusalCounts {
  readonly refused: number;
  readonly sent: number;
  /** Of the last refusal, in the words of the provider, without keys. */
  readonly reason: string;
}

const windowMs = 60_000;

/** Share of refused requests above which a minute is reported. Below it, retries hide the refusals from callers. */
const maxShare = 0.03;

/** Reports each minute in which a node refused more than 3 % of its requests. The minute starts with a request. */
export class RefusalRate {
  readonly #report: (counts: RefusalCounts) => void;
  #since = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #refused = 0;
  #reason = "";

  constructor(report: (counts: RefusalCounts) => void) {
    this.#report = report;
  }

  sent(): void {
    if (performance.now() - this.#since >= windowMs) {
      this.#since = performance.now();
      this.#sent = 0;
      this.#refused = 0;
    }
    this.#sent++;
  }

  refused(reason: string): void {
    this.#reason = reason;
    this.#refused++;
    if (this.#refused > 1) return;
    // Reported at the end of the minute: after a single request, any refusal would be 100 %.
    const restMs = Math.max(0, this.#since + windowMs - performance.now());
    setTimeout(() => this.#end(), restMs).unref();
  }

  #end(): void {
    const [refused, sent, reason] = [this.#refused, this.#sent, this.#reason];
    this.#since = Number.NEGATIVE_INFINITY;
    if (refused > sent * maxShare) this.#report({ refused, sent, reason });
  }
}

/**
 * Events about nodes for the operator's log and metrics. `network` is the network's name; `node` is the index in the configuration,
 * from 0. Implementations must not throw.
 */
export interface NodeEvents {
  /** A node turned out to be of another chain and is not used (`reason`), or is of its own chain again (undefined). */
  readonly nodeChainChanged: (network: string, node: number, reason: string | undefined) => void;
  /** A request is sent to a node. `weight` is what it takes from the node's budget. */
  readonly requested: (network: string, node: number, method: string, weight: number) => void;
  /** A node refused a request because of a limit of its provider. */
  readonly refused: (network: string, node: number) => void;
  /** Within a minute, a node refused more than 3 % of the requests. */
  readonly refusedOften: (
    network: string,
    node: number,
    counts: RefusalCounts & { readonly maxPerSecond: number | undefined },
  ) => void;
  /** A request was not sent before its deadline, because the node's budget was used up. At most once a minute. */
  readonly budgetExhausted: (network: string, node: number, maxPerSecond: number | undefined) => void;
}

export const noNodeEvents: NodeEvents = {
  nodeChainChanged: () => {},
  requested: () => {},
  refused: () => {},
  refusedOften: () => {},
  budgetExhausted: () => {},
};
