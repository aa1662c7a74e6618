import type { NodeCalls, NodeClientOptions } from "../../rpc/nodes/client.ts";
import { AllNodesFailed, RpcError } from "../../rpc/nodes/faults.ts";
import { type FailoverOptions, NodeFailover } from "../../rpc/nodes/node-failover.ts";
import { BlockNotFound, CheckUnsupported, TooManyLogs } from "../source.ts";
import { isOverloaded, isTooManyLogs, suggestedBlocks } from "./too-many-logs.ts";

export interface NodeRequest<Value> {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Whether the request is small enough to share an HTTP request. */
  readonly isBatchable: boolean;
  /** `node` is the index of the node. Throws InvalidResponse or BlockNotFound. */
  readonly read: (response: unknown, node: number) => Value;
}

/**
 * Codes of nodes that do not have what is requested: server error (as of geth for a block that it lacks), method not found, invalid
 * params, and unknown block (Engine API).
 */
const lackingCodes: ReadonlySet<number> = new Set([-32_000, -32_601, -32_602, -39_001]);

function isLacking(err: unknown): boolean {
  if (err instanceof BlockNotFound) return true;
  return err instanceof RpcError && err.refusal === undefined && lackingCodes.has(err.code);
}

export type BlockNodesLimits = Pick<
  NodeClientOptions,
  "responseTimeoutMs" | "maxResponseBytes" | "maxBatchCalls"
>;

/** `maxResponseBytes` allows for about 100,000 logs in one response. */
export const blockNodesLimits: BlockNodesLimits = {
  responseTimeoutMs: 30_000,
  maxResponseBytes: 134_217_728,
  maxBatchCalls: 50,
};

/** Reads blocks and logs from the nodes of one chain. They wait for as long as the nodes' limits require. */
export class BlockNodes {
  readonly #nodes: NodeFailover;
  #overloads = 0;

  constructor(options: FailoverOptions) {
    this.#nodes = new NodeFailover(options);
  }

  /** How often a node refused a request for the rate of requests, or took too long, so far. */
  get overloads(): number {
    return this.#overloads;
  }

  get healthy(): readonly boolean[] {
    return this.#nodes.healthy;
  }

  /** Index of the node that is asked first. */
  get preferred(): number {
    return this.#nodes.preferred;
  }

  /** Returns the first valid response. Throws TooManyLogs, BlockNotFound if no node has the block, or the error of the last node. */
  async request<Value>(request: NodeRequest<Value>): Promise<Value> {
    try {
      return await this.#nodes.request({
        send: (client, node) => this.#send(client, node, request),
        isResponse: (err) => err instanceof TooManyLogs || err instanceof CheckUnsupported,
      });
    } catch (err) {
      if (!(err instanceof AllNodesFailed)) throw err;
      // If any node merely lacks the block, that is the reason rather than another node's failure.
      throw err.faults.find((fault) => fault instanceof BlockNotFound) ?? err.faults.at(-1) ?? err;
    }
  }

  /** Returns undefined if no node has what is requested. Nodes are not demoted for that. */
  async requestOptional<Value>(request: NodeRequest<Value>): Promise<Value | undefined> {
    try {
      return await this.#nodes.request({
        send: (client, node) => this.#send(client, node, request),
        isResponse: isLacking,
      });
    } catch (err) {
      if (!isLacking(err)) throw err;
    }
    const [other] = await this.requestFromOthers(request);
    return other;
  }

  /** Returns the responses of all healthy nodes except the one that responded last. Nodes that fail are omitted. */
  requestFromOthers<Value>(request: NodeRequest<Value>): Promise<readonly Value[]> {
    return this.#nodes.requestFromOthers((client, node) => this.#send(client, node, request));
  }

  demoteLast(reason: string): void {
    this.#nodes.demoteLast(reason);
  }

  async #send<Value>(
    { callInBatch, callAlone }: NodeCalls,
    node: number,
    { method, params, isBatchable, read }: NodeRequest<Value>,
  ): Promise<Value> {
    try {
      return read(await (isBatchable ? callInBatch : callAlone)(method, params), node);
    } catch (err) {
      if (!isBatchable && isTooManyLogs(err))
        throw new TooManyLogs(node, { suggestedBlocks: suggestedBlocks(err), cause: err });
      if (isOverloaded(err)) this.#overloads++;
      throw err;
    }
  }
}
