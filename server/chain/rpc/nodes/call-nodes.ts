import { QueueLimit } from "../../../base/queue-limit.ts";
import { Semaphore } from "../../../base/semaphore.ts";
import { inSpan, type WorkSpan } from "../../../base/spans.ts";
import type { Network } from "../../networks/network.ts";
import { ChainBusy } from "../chain.ts";
import type { CallLimits } from "../node-limits.ts";
import { isCallReverted } from "./chain-error.ts";
import type { NodeTransport } from "./client.ts";
import { NodeFault, NodeRpcError, ResponseTooLarge } from "./faults.ts";
import type { MeteredNodes } from "./metered-nodes.ts";
import type { Share } from "./node-budget.ts";
import { type FailoverRequest, NodeFailover } from "./node-failover.ts";

export interface RpcRequest {
  readonly method: string;
  readonly params?: unknown;
}

export interface CallNodesDependencies {
  readonly limits: CallLimits;
  readonly meteredNodes: MeteredNodes;
  readonly share: Share;
}

/** Sends what the interface `Chain` needs, such as `eth_call`, to the nodes of one chain. Rejects at once what they cannot serve in time. */
export class CallNodes {
  readonly #network: string;
  readonly #nodes: NodeFailover;
  readonly #semaphore: Semaphore;
  readonly #queue: QueueLimit;

  constructor(network: Network, { limits, meteredNodes, share }: CallNodesDependencies) {
    this.#network = network.name;
    this.#semaphore = new Semaphore(limits.maxConcurrentRequests);
    this.#queue = new QueueLimit({ concurrency: limits.maxConcurrentRequests, burstMs: limits.maxBurstMs });
    this.#nodes = new NodeFailover({
      network,
      metered: meteredNodes.of(network),
      share,
      client: {
        responseTimeoutMs: limits.nodeTimeoutMs,
        maxResponseBytes: limits.maxResponseBytes,
        maxBatchCalls: limits.maxBatchCalls,
        schedule: (request) =>
          this.#semaphore.run(() => this.#timed(request), AbortSignal.timeout(limits.requestTimeoutMs)),
      },
      timeoutMs: limits.requestTimeoutMs,
      onChainChanged: (node, reason) => meteredNodes.events.nodeChainChanged(network.name, node, reason),
    });
  }

  /**
   * Returns the first valid response. Throws NodeRpcError for a reverted call, which also counts as a response; AllNodesFailed; and ChainBusy.
   */
  async request(
    { method, params = [] }: RpcRequest,
    { signal, caller }: Pick<FailoverRequest<unknown>, "signal" | "caller"> = {},
  ): Promise<unknown> {
    if (!this.#queue.admits(this.#semaphore.waiting))
      throw new ChainBusy("too many requests wait for the nodes");
    const span = (): WorkSpan => ({
      name: method,
      attributes: {
        "rpc.system.name": "jsonrpc",
        "rpc.method": method,
        "platform.network": this.#network,
      },
    });
    return inSpan(span, () =>
      this.#nodes.request({
        send: (node) => call(node, method, params as readonly unknown[]),
        isResponse: (err) => err instanceof NodeRpcError && isCallReverted(err),
        signal,
        caller,
      }),
    );
  }

  /** Why no node can be used: every one belongs to another chain. Undefined if some node may be of the right chain. */
  get mismatch(): string | undefined {
    return this.#nodes.mismatch;
  }

  /** Checks the nodes whose chain is unknown or wrong. Never throws. */
  identifyNodes(): Promise<void> {
    return this.#nodes.identify();
  }

  async #timed<Value>(work: () => Promise<Value>): Promise<Value> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#queue.served(performance.now() - startedAt);
    }
  }
}

/**
 * Batches calls. If the response to a batch is too large, each of its calls is repeated alone, so that only the call with the oversized
 * result fails.
 */
async function call(
  { callInBatch, callAlone }: NodeTransport,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const result = await callInBatch(method, params).catch((err: unknown) => {
    if (err instanceof ResponseTooLarge) return callAlone(method, params);
    throw err;
  });
  if (method === "eth_call" && !isBytes(result)) throw new NodeFault("it returned no bytes for a call");
  return result;
}

function isBytes(result: unknown): boolean {
  return typeof result === "string" && result.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(result);
}
