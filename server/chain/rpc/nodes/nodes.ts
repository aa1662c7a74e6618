import { QueueLimit } from "../../../base/queue-limit.ts";
import type { Network } from "../../networks/network.ts";
import { ChainBusy } from "../chain.ts";
import type { ChainLimits } from "../limits.ts";
import type { NodeEvents } from "../node-events.ts";
import { Turns } from "../turns.ts";
import { ChainCheck } from "./chain-check.ts";
import { type Ask, type NodeClientOptions, openNodeClient } from "./client.ts";
import { isRefusal } from "./failure.ts";
import { AllNodesFailed, NodeFault, ReplyTooLarge, RpcError } from "./faults.ts";
import { InFlightLimit } from "./in-flight-limit.ts";

interface Node {
  readonly ask: Ask;
  readonly check: ChainCheck;
  /** Time of `performance.now()` until which it is asked after all others. */
  restsUntil: number;
}

export interface NodeQuestion {
  readonly method: string;
  readonly params?: unknown;
}

/** The nodes of one chain: asked in the order of the configuration, those that failed lately last. */
export class Nodes {
  readonly #nodes: readonly Node[];
  readonly #limits: ChainLimits;
  readonly #turns: Turns;
  readonly #queue: QueueLimit;
  readonly #inFlight: InFlightLimit;

  constructor({ chainId, name, rpcUrls }: Network, limits: ChainLimits, events: NodeEvents) {
    this.#limits = limits;
    this.#turns = new Turns(limits.requestsAtOnce);
    this.#queue = new QueueLimit({ concurrency: limits.requestsAtOnce, burstMs: limits.burstMs });
    this.#inFlight = new InFlightLimit(limits.requestsAtOnce);
    this.#nodes = rpcUrls.map((url, place) => {
      const ask = openAsk({
        url,
        answerMaxMs: limits.nodeMaxMs,
        answerMaxBytes: limits.answerMaxBytes,
        batch: limits.batchCalls,
        inTurn: (request) =>
          this.#turns.run(() => this.#timed(request), AbortSignal.timeout(limits.questionMaxMs)),
      });
      const check = new ChainCheck({
        chainId,
        ask: () => ask("eth_chainId", []),
        onChange: (reason) => events.chainOfNode(name, place, reason),
      });
      return { ask, check, restsUntil: 0 };
    });
  }

  /** The first answer; that a contract reverted is one. Throws RpcError for that, AllNodesFailed and ChainBusy. */
  async ask(question: NodeQuestion, signal?: AbortSignal): Promise<unknown> {
    if (!this.#queue.admits(this.#turns.waiting)) throw new ChainBusy("too many wait for the nodes");
    if (!this.#inFlight.admits()) throw new ChainBusy("the nodes take longer the more they are asked");
    try {
      return await this.#askInOrder(question, signal);
    } finally {
      this.#inFlight.ended();
    }
  }

  /** Why no node can be asked: each of them is of another chain. Undefined: some node is not known to be. */
  get wrong(): string | undefined {
    const reasons = this.#nodes.map(({ check: { wrong } }, place) => wrong && `node ${place}: ${wrong}`);
    return reasons.every((reason) => reason !== undefined) ? reasons.join("; ") : undefined;
  }

  /** Asks the nodes that have not said of which chain they are, and those that are of another. Never throws. */
  async meet(): Promise<void> {
    const now = performance.now();
    const strangers = this.#nodes.filter(
      ({ check, restsUntil }) => check.wrong !== undefined || (!check.isKnown && restsUntil <= now),
    );
    await Promise.all(strangers.map((node) => node.check.pass().catch(() => this.#rest(node))));
  }

  async #askInOrder({ method, params }: NodeQuestion, signal?: AbortSignal): Promise<unknown> {
    const end = performance.now() + this.#limits.questionMaxMs;
    const now = performance.now();
    const order = [
      ...this.#nodes.filter(({ restsUntil }) => restsUntil <= now),
      ...this.#nodes.filter(({ restsUntil }) => restsUntil > now),
    ];
    const failures: unknown[] = [];
    for (const node of order) {
      const { ask, check } = node;
      try {
        const answered = check.answered(() => ask(method, (params ?? []) as readonly unknown[]));
        const answer = await before(end, signal, answered);
        node.restsUntil = 0;
        return answer;
      } catch (err) {
        if ((err instanceof RpcError && isRefusal(err)) || signal?.aborted) throw err;
        failures.push(err);
        this.#rest(node);
        if (performance.now() >= end) break;
      }
    }
    throw new AllNodesFailed(failures);
  }

  #rest(node: Node): void {
    node.restsUntil = performance.now() + this.#limits.restMs;
    node.check.doubt();
  }

  async #timed<Value>(work: () => Promise<Value>): Promise<Value> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const tookMs = performance.now() - startedAt;
      this.#queue.served(tookMs);
      this.#inFlight.answered(tookMs);
    }
  }
}

/** Asks together with others, and alone what was more than is read then: one contract's flood fails its own question only. */
function openAsk(options: NodeClientOptions): Ask {
  const { together, alone } = openNodeClient(options);
  return async (method, params) => {
    const answer = await together(method, params).catch((err: unknown) => {
      if (err instanceof ReplyTooLarge) return alone(method, params);
      throw err;
    });
    if (method === "eth_call" && !isBytes(answer)) throw new NodeFault("it answered a call with no bytes");
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
