import { QueueLimit } from "../../../base/queue-limit.ts";
import type { Network } from "../../networks/network.ts";
import { ChainBusy } from "../chain.ts";
import type { ChainLimits } from "../limits.ts";
import type { NodeEvents } from "../node-events.ts";
import { Semaphore } from "../semaphore.ts";
import { ChainCheck } from "./chain-check.ts";
import { isCallReverted } from "./chain-error.ts";
import { type NodeCall, type NodeClientOptions, openNodeClient } from "./client.ts";
import { AllNodesFailed, NodeFault, ResponseTooLarge, RpcError } from "./faults.ts";
import { InFlightLimit } from "./in-flight-limit.ts";

interface Node {
  readonly call: NodeCall;
  readonly check: ChainCheck;
  /** The node is demoted until this time of `performance.now()`: other nodes are tried first. */
  demotedUntil: number;
}

export interface NodeRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** The nodes of one chain: used in the order of the configuration, with recently failed ones last. */
export class NodePool {
  readonly #nodes: readonly Node[];
  readonly #limits: ChainLimits;
  readonly #semaphore: Semaphore;
  readonly #queue: QueueLimit;
  readonly #inFlight: InFlightLimit;

  constructor({ chainId, name, rpcUrls }: Network, limits: ChainLimits, events: NodeEvents) {
    this.#limits = limits;
    this.#semaphore = new Semaphore(limits.maxConcurrentRequests);
    this.#queue = new QueueLimit({ concurrency: limits.maxConcurrentRequests, burstMs: limits.maxBurstMs });
    this.#inFlight = new InFlightLimit(limits.maxConcurrentRequests);
    this.#nodes = rpcUrls.map((url, index) => {
      const call = openCall({
        url,
        responseTimeoutMs: limits.nodeTimeoutMs,
        maxResponseBytes: limits.maxResponseBytes,
        maxBatchCalls: limits.maxBatchCalls,
        schedule: (request) =>
          this.#semaphore.run(() => this.#timed(request), AbortSignal.timeout(limits.requestTimeoutMs)),
      });
      const check = new ChainCheck({
        chainId,
        fetchChainId: () => call("eth_chainId", []),
        onChange: (reason) => events.nodeChainChanged(name, index, reason),
      });
      return { call, check, demotedUntil: 0 };
    });
  }

  /**
   * Returns the first valid response. Throws RpcError for a reverted call, which also counts as a response; AllNodesFailed; and ChainBusy.
   */
  async request(request: NodeRequest, signal?: AbortSignal): Promise<unknown> {
    if (!this.#queue.admits(this.#semaphore.waiting))
      throw new ChainBusy("too many requests wait for the nodes");
    if (!this.#inFlight.admits()) throw new ChainBusy("the nodes slow down under the current load");
    try {
      return await this.#requestInOrder(request, signal);
    } finally {
      this.#inFlight.ended();
    }
  }

  /** Why no node can be used: every one belongs to another chain. Undefined if some node may be of the right chain. */
  get mismatch(): string | undefined {
    const reasons = this.#nodes.map(
      ({ check: { mismatch } }, index) => mismatch && `node ${index}: ${mismatch}`,
    );
    return reasons.every((reason) => reason !== undefined) ? reasons.join("; ") : undefined;
  }

  /** Checks the nodes whose chain is unknown or wrong. Never throws. */
  async identifyNodes(): Promise<void> {
    const now = performance.now();
    const unverified = this.#nodes.filter(
      ({ check, demotedUntil }) => check.mismatch !== undefined || (!check.isVerified && demotedUntil <= now),
    );
    await Promise.all(unverified.map((node) => node.check.ensureChain().catch(() => this.#demote(node))));
  }

  async #requestInOrder({ method, params }: NodeRequest, signal?: AbortSignal): Promise<unknown> {
    const deadline = performance.now() + this.#limits.requestTimeoutMs;
    const now = performance.now();
    const order = [
      ...this.#nodes.filter(({ demotedUntil }) => demotedUntil <= now),
      ...this.#nodes.filter(({ demotedUntil }) => demotedUntil > now),
    ];
    const failures: unknown[] = [];
    for (const node of order) {
      const { call, check } = node;
      try {
        const checked = check.checked(() => call(method, (params ?? []) as readonly unknown[]));
        const result = await withDeadline(deadline, signal, checked);
        node.demotedUntil = 0;
        return result;
      } catch (err) {
        if ((err instanceof RpcError && isCallReverted(err)) || signal?.aborted) throw err;
        failures.push(err);
        this.#demote(node);
        if (performance.now() >= deadline) break;
      }
    }
    throw new AllNodesFailed(failures);
  }

  #demote(node: Node): void {
    node.demotedUntil = performance.now() + this.#limits.demotionMs;
    node.check.invalidate();
  }

  async #timed<Value>(work: () => Promise<Value>): Promise<Value> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const tookMs = performance.now() - startedAt;
      this.#queue.served(tookMs);
      this.#inFlight.record(tookMs);
    }
  }
}

/**
 * Batches calls. If the response to a batch is too large, each of its calls is repeated alone, so that only the call with the oversized
 * result fails.
 */
function openCall(options: NodeClientOptions): NodeCall {
  const { callInBatch, callAlone } = openNodeClient(options);
  return async (method, params) => {
    const result = await callInBatch(method, params).catch((err: unknown) => {
      if (err instanceof ResponseTooLarge) return callAlone(method, params);
      throw err;
    });
    if (method === "eth_call" && !isBytes(result)) throw new NodeFault("it returned no bytes for a call");
    return result;
  };
}

function isBytes(result: unknown): boolean {
  return typeof result === "string" && result.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(result);
}

/** Uses a timer rather than AbortSignal.any, because Node 20 may garbage-collect signals that only other signals reference. */
function withDeadline<Value>(
  deadline: number,
  signal: AbortSignal | undefined,
  work: Promise<Value>,
): Promise<Value> {
  return new Promise((done, fail) => {
    const stop = (): void => fail(new NodeFault("the request timed out"));
    const timer = setTimeout(stop, Math.max(1, Math.ceil(deadline - performance.now())));
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
    work.then(done, fail).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    });
  });
}
