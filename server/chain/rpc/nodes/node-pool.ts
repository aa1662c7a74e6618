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
  readonly ask: NodeCall;
  readonly check: ChainCheck;
  /** Time of `performance.now()` until which it is asked after all others. */
  demotedUntil: number;
}

export interface NodeRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** The nodes of one chain: asked in the order of the configuration, those that failed lately last. */
export class NodePool {
  readonly #nodes: readonly Node[];
  readonly #limits: ChainLimits;
  readonly #turns: Semaphore;
  readonly #queue: QueueLimit;
  readonly #inFlight: InFlightLimit;

  constructor({ chainId, name, rpcUrls }: Network, limits: ChainLimits, events: NodeEvents) {
    this.#limits = limits;
    this.#turns = new Semaphore(limits.maxConcurrentRequests);
    this.#queue = new QueueLimit({ concurrency: limits.maxConcurrentRequests, burstMs: limits.maxBurstMs });
    this.#inFlight = new InFlightLimit(limits.maxConcurrentRequests);
    this.#nodes = rpcUrls.map((url, place) => {
      const ask = openAsk({
        url,
        responseTimeoutMs: limits.nodeTimeoutMs,
        maxResponseBytes: limits.maxResponseBytes,
        maxBatchCalls: limits.maxBatchCalls,
        schedule: (request) =>
          this.#turns.run(() => this.#timed(request), AbortSignal.timeout(limits.requestTimeoutMs)),
      });
      const check = new ChainCheck({
        chainId,
        fetchChainId: () => ask("eth_chainId", []),
        onChange: (reason) => events.nodeChainChanged(name, place, reason),
      });
      return { ask, check, demotedUntil: 0 };
    });
  }

  /** The first answer; that a contract reverted is one. Throws RpcError for that, AllNodesFailed and ChainBusy. */
  async request(question: NodeRequest, signal?: AbortSignal): Promise<unknown> {
    if (!this.#queue.admits(this.#turns.waiting)) throw new ChainBusy("too many wait for the nodes");
    if (!this.#inFlight.admits()) throw new ChainBusy("the nodes take longer the more they are asked");
    try {
      return await this.#askInOrder(question, signal);
    } finally {
      this.#inFlight.ended();
    }
  }

  /** Why no node can be asked: each of them is of another chain. Undefined: some node is not known to be. */
  get mismatch(): string | undefined {
    const reasons = this.#nodes.map(
      ({ check: { mismatch } }, place) => mismatch && `node ${place}: ${mismatch}`,
    );
    return reasons.every((reason) => reason !== undefined) ? reasons.join("; ") : undefined;
  }

  /** Asks the nodes that have not said of which chain they are, and those that are of another. Never throws. */
  async identifyNodes(): Promise<void> {
    const now = performance.now();
    const strangers = this.#nodes.filter(
      ({ check, demotedUntil }) => check.mismatch !== undefined || (!check.isVerified && demotedUntil <= now),
    );
    await Promise.all(strangers.map((node) => node.check.ensureChain().catch(() => this.#rest(node))));
  }

  async #askInOrder({ method, params }: NodeRequest, signal?: AbortSignal): Promise<unknown> {
    const end = performance.now() + this.#limits.requestTimeoutMs;
    const now = performance.now();
    const order = [
      ...this.#nodes.filter(({ demotedUntil }) => demotedUntil <= now),
      ...this.#nodes.filter(({ demotedUntil }) => demotedUntil > now),
    ];
    const failures: unknown[] = [];
    for (const node of order) {
      const { ask, check } = node;
      try {
        const checked = check.checked(() => ask(method, (params ?? []) as readonly unknown[]));
        const answer = await before(end, signal, checked);
        node.demotedUntil = 0;
        return answer;
      } catch (err) {
        if ((err instanceof RpcError && isCallReverted(err)) || signal?.aborted) throw err;
        failures.push(err);
        this.#rest(node);
        if (performance.now() >= end) break;
      }
    }
    throw new AllNodesFailed(failures);
  }

  #rest(node: Node): void {
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

/** Asks together with others, and alone what was more than is read then: one contract's flood fails its own question only. */
function openAsk(options: NodeClientOptions): NodeCall {
  const { callInBatch, callAlone } = openNodeClient(options);
  return async (method, params) => {
    const answer = await callInBatch(method, params).catch((err: unknown) => {
      if (err instanceof ResponseTooLarge) return callAlone(method, params);
      throw err;
    });
    if (method === "eth_call" && !isBytes(answer)) throw new NodeFault("it returned no bytes for a call");
    return answer;
  };
}

function isBytes(answer: unknown): boolean {
  return typeof answer === "string" && answer.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(answer);
}

/** A timer of its own: Node 20 may collect signals that only other signals hold. */
function before<Value>(end: number, signal: AbortSignal | undefined, work: Promise<Value>): Promise<Value> {
  return new Promise((done, fail) => {
    const stop = (): void => fail(new NodeFault("the time for this question is over"));
    const timer = setTimeout(stop, Math.max(1, Math.ceil(end - performance.now())));
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
    work.then(done, fail).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    });
  });
}
