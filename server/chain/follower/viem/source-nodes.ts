import { ChainCheck } from "../../rpc/nodes/chain-check.ts";
import { type NodeClient, type NodeClientOptions, openNodeClient } from "../../rpc/nodes/client.ts";
import { NodeFault, RpcError, WrongChain } from "../../rpc/nodes/faults.ts";
import { BlockNotFound, InvalidResponse, TooManyLogs } from "../source.ts";
import { isTooManyLogs } from "./too-many-logs.ts";

/** What is told of a node that is not asked for a while. Its place in the configuration names it: addresses may hold keys. */
export interface NodeDemotion {
  readonly node: number;
  readonly reason: string;
}

interface Node extends NodeClient {
  readonly place: number;
  readonly check: ChainCheck;
  /** Time of `performance.now()` until which others go first. */
  demotedUntil: number;
}

export interface NodeRequest<Value> {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Small: it may go together with others. */
  readonly isBatchable: boolean;
  /** Throws InvalidResponse or BlockNotFound. */
  readonly read: (answer: unknown) => Value;
}

/** How long a node that failed, lags or lied is asked last, in milliseconds. */
const rests = { failed: 15_000, behind: 1_000, untrue: 60_000, chain: 300_000 } as const;

export type SourceLimits = Pick<
  NodeClientOptions,
  "responseTimeoutMs" | "maxResponseBytes" | "maxBatchCalls"
>;

/** Some 100,000 logs in one response. */
export const sourceLimits: SourceLimits = {
  responseTimeoutMs: 30_000,
  maxResponseBytes: 134_217_728,
  maxBatchCalls: 50,
};

/** The nodes of one chain, in the order of the configuration; the unhealthy ones go last. */
export class SourceNodes {
  readonly #nodes: readonly Node[];
  readonly #onSetAside: (event: NodeDemotion) => void;
  /** Who gave the last answer. */
  #last: Node | undefined;

  constructor(
    urls: readonly string[],
    chainId: number,
    onSetAside: (event: NodeDemotion) => void,
    limits: SourceLimits,
  ) {
    this.#onSetAside = onSetAside;
    this.#nodes = urls.map((url, place) => {
      const client = openNodeClient({ url, ...limits });
      const check = new ChainCheck({ chainId, fetchChainId: () => client.callInBatch("eth_chainId", []) });
      return { place, ...client, check, demotedUntil: 0 };
    });
  }

  /** By place: whether it is asked in its turn. */
  get healthy(): readonly boolean[] {
    const now = performance.now();
    return this.#nodes.map(({ demotedUntil }) => demotedUntil <= now);
  }

  /** The first answer that can be true. Throws TooManyLogs, BlockNotFound if no node has it, or what the last node failed with. */
  async request<Value>(question: NodeRequest<Value>): Promise<Value> {
    let failure: unknown;
    for (const node of this.#inOrder()) {
      try {
        const value = await this.#askOne(node, question);
        this.#last = node;
        return value;
      } catch (err) {
        if (!question.isBatchable && isTooManyLogs(err))
          throw new TooManyLogs("the node gives less at once", { cause: err });
        // That one node lags is no reason to say that nobody answers.
        failure = failure instanceof BlockNotFound ? failure : err;
        this.#rest(node, err);
      }
    }
    throw failure;
  }

  /** What the other nodes than the one of the last answer say; those that do not answer are left out. */
  async requestFromOthers<Value>(question: NodeRequest<Value>): Promise<readonly Value[]> {
    const now = performance.now();
    const others = this.#nodes.filter((node) => node !== this.#last && node.demotedUntil <= now);
    const answers = await Promise.allSettled(others.map((node) => this.#askOne(node, question)));
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  }

  distrustLast(reason: string): void {
    if (this.#last !== undefined) this.#setAside(this.#last, rests.untrue, reason);
  }

  #inOrder(): readonly Node[] {
    const now = performance.now();
    const fine = this.#nodes.filter(({ demotedUntil }) => demotedUntil <= now);
    const resting = this.#nodes.filter(({ demotedUntil }) => demotedUntil > now);
    return [...fine, ...resting.toSorted((a, b) => a.demotedUntil - b.demotedUntil)];
  }

  async #askOne<Value>(
    node: Node,
    { method, params, isBatchable, read }: NodeRequest<Value>,
  ): Promise<Value> {
    return read(
      await node.check.checked(() => (isBatchable ? node.callInBatch : node.callAlone)(method, params)),
    );
  }

  #rest(node: Node, err: unknown): void {
    if (err instanceof BlockNotFound) node.demotedUntil = performance.now() + rests.behind;
    else if (err instanceof WrongChain) this.#setAside(node, rests.chain, err.message);
    else if (err instanceof InvalidResponse) this.#setAside(node, rests.untrue, err.message);
    else {
      node.check.invalidate();
      const reason = err instanceof NodeFault || err instanceof RpcError ? `: ${err.reason}` : "";
      this.#setAside(node, rests.failed, `it does not answer${reason}`);
    }
  }

  #setAside(node: Node, forMs: number, reason: string): void {
    const isNews = node.demotedUntil <= performance.now();
    node.demotedUntil = performance.now() + forMs;
    if (isNews) this.#onSetAside({ node: node.place, reason });
  }
}
