import { ChainCheck } from "../../rpc/nodes/chain-check.ts";
import { type NodeClient, type NodeClientOptions, openNodeClient } from "../../rpc/nodes/client.ts";
import { NodeFault, RpcError, WrongChain } from "../../rpc/nodes/faults.ts";
import { BlockNotFound, InvalidResponse, TooManyLogs } from "../source.ts";
import { isOverloaded, isTooManyLogs, suggestedBlocks } from "./too-many-logs.ts";

/** A node was demoted: other nodes are tried first for a while. `node` is its index in the configuration, because its URL may hold a key. */
export interface NodeDemotion {
  readonly node: number;
  readonly reason: string;
}

interface Node extends NodeClient {
  readonly index: number;
  readonly check: ChainCheck;
  /** The node is demoted until this time, as returned by `performance.now()`. */
  demotedUntil: number;
}

export interface NodeRequest<Value> {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Whether the request is small enough to share an HTTP request. */
  readonly isBatchable: boolean;
  /** `node` is the index of the node. Throws InvalidResponse or BlockNotFound. */
  readonly read: (response: unknown, node: number) => Value;
}

/** How long a node stays demoted, in milliseconds: after a failure, a missing block, an invalid response, or a response of another chain. */
const demotionMs = { failed: 15_000, behind: 1_000, invalid: 60_000, wrongChain: 300_000 } as const;

export type SourceLimits = Pick<
  NodeClientOptions,
  "responseTimeoutMs" | "maxResponseBytes" | "maxBatchCalls"
>;

/** `maxResponseBytes` allows for about 100,000 logs in one response. */
export const sourceLimits: SourceLimits = {
  responseTimeoutMs: 30_000,
  maxResponseBytes: 134_217_728,
  maxBatchCalls: 50,
};

/** The nodes of one chain, used in the order of the configuration. Demoted nodes come last. */
export class SourceNodes {
  readonly #nodes: readonly Node[];
  readonly #onDemoted: (event: NodeDemotion) => void;
  /** The node of the last successful response. */
  #lastResponded: Node | undefined;
  #overloads = 0;

  constructor(
    urls: readonly string[],
    chainId: number,
    onDemoted: (event: NodeDemotion) => void,
    limits: SourceLimits,
  ) {
    this.#onDemoted = onDemoted;
    this.#nodes = urls.map((url, index) => {
      const client = openNodeClient({ url, ...limits });
      const check = new ChainCheck({ chainId, fetchChainId: () => client.callInBatch("eth_chainId", []) });
      return { index, ...client, check, demotedUntil: 0 };
    });
  }

  /** How often a node refused a request for the rate of requests, or took too long, so far. */
  get overloads(): number {
    return this.#overloads;
  }

  get healthy(): readonly boolean[] {
    const now = performance.now();
    return this.#nodes.map(({ demotedUntil }) => demotedUntil <= now);
  }

  /** Index of the node that is asked first. */
  get preferred(): number {
    return this.#inOrder()[0]?.index ?? 0;
  }

  /** Returns the first valid response. Throws TooManyLogs, BlockNotFound if no node has the block, or the error of the last node. */
  async request<Value>(request: NodeRequest<Value>): Promise<Value> {
    let failure: unknown;
    for (const node of this.#inOrder()) {
      try {
        const value = await this.#requestFrom(node, request);
        this.#lastResponded = node;
        return value;
      } catch (err) {
        if (!request.isBatchable && isTooManyLogs(err))
          throw new TooManyLogs(node.index, { suggestedBlocks: suggestedBlocks(err), cause: err });
        if (isOverloaded(err)) this.#overloads++;
        // If any node merely lacks the block, throw BlockNotFound rather than another node's failure.
        failure = failure instanceof BlockNotFound ? failure : err;
        this.#demoteFor(node, err);
      }
    }
    throw failure;
  }

  /** Returns the responses of all healthy nodes except the one that responded last. Nodes that fail are omitted. */
  async requestFromOthers<Value>(request: NodeRequest<Value>): Promise<readonly Value[]> {
    const now = performance.now();
    const others = this.#nodes.filter((node) => node !== this.#lastResponded && node.demotedUntil <= now);
    const results = await Promise.allSettled(others.map((node) => this.#requestFrom(node, request)));
    return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  }

  distrustLast(reason: string): void {
    if (this.#lastResponded !== undefined) this.#demote(this.#lastResponded, demotionMs.invalid, reason);
  }

  #inOrder(): readonly Node[] {
    const now = performance.now();
    const healthy = this.#nodes.filter(({ demotedUntil }) => demotedUntil <= now);
    const demoted = this.#nodes.filter(({ demotedUntil }) => demotedUntil > now);
    return [...healthy, ...demoted.toSorted((a, b) => a.demotedUntil - b.demotedUntil)];
  }

  async #requestFrom<Value>(
    node: Node,
    { method, params, isBatchable, read }: NodeRequest<Value>,
  ): Promise<Value> {
    return read(
      await node.check.checked(() => (isBatchable ? node.callInBatch : node.callAlone)(method, params)),
      node.index,
    );
  }

  #demoteFor(node: Node, err: unknown): void {
    if (err instanceof BlockNotFound) node.demotedUntil = performance.now() + demotionMs.behind;
    else if (err instanceof WrongChain) this.#demote(node, demotionMs.wrongChain, err.message);
    else if (err instanceof InvalidResponse) this.#demote(node, demotionMs.invalid, err.message);
    else {
      node.check.invalidate();
      const reason = err instanceof NodeFault || err instanceof RpcError ? `: ${err.reason}` : "";
      this.#demote(node, demotionMs.failed, `it does not respond${reason}`);
    }
  }

  #demote(node: Node, forMs: number, reason: string): void {
    const isNew = node.demotedUntil <= performance.now();
    node.demotedUntil = performance.now() + forMs;
    if (isNew) this.#onDemoted({ node: node.index, reason });
  }
}
