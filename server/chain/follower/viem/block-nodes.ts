import { nodeLimits } from "../../rpc/node-limits.ts";
import type { NodeTransport } from "../../rpc/nodes/client.ts";
import {
  AllNodesFailed,
  NodeFault,
  NodeRpcError,
  ResponseTooLarge,
  rateLimitPattern,
} from "../../rpc/nodes/faults.ts";
import { type FailoverOptions, NodeFailover } from "../../rpc/nodes/node-failover.ts";
import { BlockNotFound, TooManyLogs } from "../source.ts";

export interface NodeRequest<Value> {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Whether the request is small enough to share an HTTP request. */
  readonly isBatchable: boolean;
  /** `node` is the index of the node. Throws InvalidResponse or BlockNotFound. */
  readonly read: (response: unknown, node: number) => Value;
  /** Reads the same with methods and parameters that every node has, from a node that does not support this request. */
  readonly readPlainly?: (calls: NodeTransport) => Promise<Value>;
}

/** Nodes have many errors for a block or tag that they do not know. */
function isLacking(err: unknown): boolean {
  return err instanceof BlockNotFound || (err instanceof NodeRpcError && err.refusal === undefined);
}

/** Reads blocks and logs from the nodes of one chain. They wait for as long as the nodes' limits require. */
export class BlockNodes {
  readonly #nodes: NodeFailover;
  /** Until when a node is not asked for a method, by node and method. */
  readonly #unsupported = new Map<string, number>();

  constructor(options: FailoverOptions) {
    this.#nodes = new NodeFailover(options);
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
        isResponse: (err) => err instanceof TooManyLogs,
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

  /** Returns the response of each node, undefined for nodes that fail. */
  requestFromEach<Value>(request: NodeRequest<Value>): Promise<readonly (Value | undefined)[]> {
    return this.#nodes.requestFromEach((client, node) => this.#send(client, node, request));
  }

  demoteLagging(node: number, reason: string): void {
    this.#nodes.demoteLagging(node, reason);
  }

  demoteLast(reason: string): void {
    this.#nodes.demoteLast(reason);
  }

  async #send<Value>(calls: NodeTransport, node: number, request: NodeRequest<Value>): Promise<Value> {
    const { method, params, isBatchable, read, readPlainly } = request;
    const key = `${node} ${method}`;
    const isUnsupportedHere = performance.now() < (this.#unsupported.get(key) ?? 0);
    try {
      if (readPlainly !== undefined && isUnsupportedHere) return await readPlainly(calls);
      const { callInBatch, callAlone } = calls;
      return read(await (isBatchable ? callInBatch : callAlone)(method, params), node);
    } catch (err) {
      if (readPlainly !== undefined && !isUnsupportedHere && isUnsupported(err)) {
        const value = await readPlainly(calls);
        this.#unsupported.set(key, performance.now() + nodeLimits.blocks.unsupportedMs);
        return value;
      }
      if (!isBatchable && isTooManyLogs(err))
        throw new TooManyLogs(node, { suggestedBlocks: suggestedBlocks(err), cause: err });
      throw err;
    }
  }
}

/** How nodes and providers report that a range has more logs or blocks than they return in one response. */
const tooManyPattern =
  /more than [\d,]+ (results|logs)|exceeds? (the )?(max|limit|allowed|range)|(block )?range (is )?(too (large|wide|big)|limit|exceed)|too (many|large)|limited to|response size|size (is )?(larger|exceed)|query returned more|max(imum)? (block )?range|query timeout|timed out|log limit|up to a [\d,k]+ block|ranges over|(is|are) (greater|larger|bigger|more) than|exceed.*block|block.*exceed/i;

/**
 * Codes of errors about too many logs, for messages that match neither pattern. -32602 (invalid parameters): the host's parameters
 * are well formed, so only the range can be too large. -32005: limit exceeded (EIP-1474).
 */
const tooManyCodes: ReadonlySet<unknown> = new Set([-32_602, -32_005]);

/** Whether the response to a request for the logs of several blocks means that there are too many. */
function isTooManyLogs(err: unknown): boolean {
  if (err instanceof ResponseTooLarge) return true;
  const text = textOf(err);
  if (text === undefined) return false;
  if (rateLimitPattern.test(text)) return false;
  return tooManyPattern.test(text) || (err instanceof NodeRpcError && tooManyCodes.has(err.code));
}

/** The forms of "[0x10, 0x1f]" and "100-200": a range that the node would accept. */
const rangePatterns: readonly RegExp[] = [/\[(0x[0-9a-f]+), ?(0x[0-9a-f]+)\]/i, /range (\d+)-(\d+)/i];

/** The forms of "up to a 2K block range" and "max block range: 10,000". */
const countPatterns: readonly RegExp[] = [
  /\b([\d,]+)(k?) blocks? range/i,
  /(?:range limit|limit of|limited to(?: a)?|ranges over|max(?:imum)?(?: block)? range(?: is)?|maximum is set to|narrow your filter)\b[ :=]*([\d,]+)(k?)\b/i,
];

/** Returns the number of blocks that the node's message allows, if it states one. */
function suggestedBlocks(err: unknown): number | undefined {
  const text = textOf(err) ?? "";
  for (const pattern of rangePatterns) {
    const [, from, to] = pattern.exec(text) ?? [];
    if (from !== undefined && to !== undefined) return Number(to) - Number(from) + 1;
  }
  for (const pattern of countPatterns) {
    const [, count, thousands] = pattern.exec(text) ?? [];
    if (count !== undefined) return Number(count.replaceAll(",", "")) * (thousands === "" ? 1 : 1_000);
  }
  return undefined;
}

/** Whether the node rejects the method of a request or its parameters: it does not support them. */
function isUnsupported(err: unknown): boolean {
  if (!(err instanceof NodeRpcError) || rateLimitPattern.test(textOf(err) ?? "")) return false;
  return (
    err.code === -32_601 ||
    err.code === -32_602 ||
    (/(support|unknown field|invalid|unexpected|not found|not available|not exist|not allowed)/i.test(
      err.detail,
    ) &&
      /block ?hash|method/i.test(err.detail))
  );
}

function textOf(err: unknown): string | undefined {
  if (!(err instanceof NodeRpcError || err instanceof NodeFault)) return undefined;
  const { detail, data } = err instanceof NodeRpcError ? err : { detail: err.detail, data: undefined };
  return data === undefined ? detail : `${detail} ${JSON.stringify(data)}`;
}
