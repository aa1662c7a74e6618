import { BaseError, http } from "viem";
import type { Network } from "../../networks/network.ts";
import { QueueBound } from "../../queue-bound.ts";
import { ChainBusy } from "../chain.ts";
import type { ChainLimits } from "../limits.ts";
import { Turns } from "../turns.ts";
import { isAnswer, isTooLarge } from "./failure.ts";
import { InFlightLimit } from "./in-flight-limit.ts";

type Request = (question: { method: string; params?: unknown }) => Promise<unknown>;

interface Node {
  readonly request: Request;
  /** Time of `performance.now()` until which it is asked after all others. */
  restsUntil: number;
}

/** The nodes of one chain: asked in the order of the configuration, those that failed lately last. */
export class Nodes {
  readonly #nodes: readonly Node[];
  readonly #limits: ChainLimits;
  readonly #turns: Turns;
  readonly #queue: QueueBound;
  readonly #inFlight: InFlightLimit;

  constructor({ rpcUrls }: Network, limits: ChainLimits) {
    this.#limits = limits;
    this.#turns = new Turns(limits.requestsAtOnce);
    this.#queue = new QueueBound({ places: limits.requestsAtOnce, burstMs: limits.burstMs });
    this.#inFlight = new InFlightLimit(limits.requestsAtOnce);
    const inTurn: InTurn = (work, waitMaxMs) =>
      this.#turns.run(() => this.#timed(work), AbortSignal.timeout(waitMaxMs));
    this.#nodes = rpcUrls.map((url) => ({ request: openNode(url, inTurn, limits), restsUntil: 0 }));
  }

  /** The first answer; that a contract reverted is one. Throws what the last node failed with, and ChainBusy. */
  async ask(question: { method: string; params?: unknown }, signal?: AbortSignal): Promise<unknown> {
    if (!this.#queue.admits(this.#turns.waiting)) throw new ChainBusy("too many wait for the nodes");
    if (!this.#inFlight.admits()) throw new ChainBusy("the nodes take longer the more they are asked");
    try {
      return await this.#askInOrder(question, signal);
    } finally {
      this.#inFlight.ended();
    }
  }

  async #askInOrder(question: { method: string; params?: unknown }, signal?: AbortSignal): Promise<unknown> {
    const end = performance.now() + this.#limits.questionMaxMs;
    const now = performance.now();
    const order = [
      ...this.#nodes.filter(({ restsUntil }) => restsUntil <= now),
      ...this.#nodes.filter(({ restsUntil }) => restsUntil > now),
    ];
    let failure: unknown;
    for (const node of order) {
      try {
        const answer = await before(end, signal, node.request(question));
        node.restsUntil = 0;
        return answer;
      } catch (err) {
        if (isAnswer(err) || signal?.aborted) throw err;
        failure = err;
        node.restsUntil = performance.now() + this.#limits.restMs;
        if (performance.now() >= end) break;
      }
    }
    throw failure;
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

/** Runs one HTTP request when it is its turn. */
type InTurn = <Value>(work: () => Promise<Value>, waitMaxMs: number) => Promise<Value>;

function openNode(url: string, inTurn: InTurn, limits: ChainLimits): Request {
  const together = openTransport(url, inTurn, limits, { batchSize: limits.batchCalls, wait: 0 });
  const alone = openTransport(url, inTurn, limits, false);
  return async (question) => {
    try {
      return await together(question);
    } catch (err) {
      if (!isTooLarge(err)) throw err;
      // One contract's flood drowns the whole batch: asked alone, only its own question fails.
      return alone(question);
    }
  };
}

function openTransport(
  url: string,
  inTurn: InTurn,
  limits: ChainLimits,
  batch: false | { readonly batchSize: number; readonly wait: number },
): Request {
  const transport = http(url, {
    batch,
    retryCount: 0,
    // The limit below holds until the last byte; viem's ends with the headers.
    timeout: 0,
    maxResponseBodySize: limits.answerMaxBytes,
    fetchFn: (address, { method = "POST", headers = {}, body = "" } = {}) =>
      inTurn(
        () =>
          fetch(address, {
            method,
            headers,
            body,
            signal: AbortSignal.timeout(limits.nodeMaxMs),
            // Where a node sends elsewhere, that is no node which the operator has configured.
            redirect: "error",
          }),
        limits.questionMaxMs,
      ),
  })({ retryCount: 0 });
  return transport.request as Request;
}

async function before<Value>(
  end: number,
  signal: AbortSignal | undefined,
  work: Promise<Value>,
): Promise<Value> {
  const signals = [
    AbortSignal.timeout(Math.max(1, Math.ceil(end - performance.now()))),
    ...(signal ? [signal] : []),
  ];
  const ended = AbortSignal.any(signals);
  return new Promise((done, fail) => {
    const stop = (): void => fail(new BaseError("the time for this question is over"));
    if (ended.aborted) stop();
    ended.addEventListener("abort", stop, { once: true });
    work.then(done, fail).finally(() => ended.removeEventListener("abort", stop));
  });
}
