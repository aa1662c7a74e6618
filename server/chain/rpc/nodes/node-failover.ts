/** Which node of a chain is asked next: order, rounds of attempts, and demotion of nodes that fail. Used by CallNodes and BlockNodes. */
import { callAfter, onAbort, sleep } from "ridlkit-runtime/time";
import type { Network } from "../../networks/network.ts";
import {
  ChainCheck,
  type NodeCall,
  type NodeClient,
  type NodeClientOptions,
  type NodeTransport,
  openNodeClient,
} from "./client.ts";
import { Demotion, demotionMs } from "./demotion.ts";
import {
  AllNodesFailed,
  BlockNotFound,
  BudgetExhausted,
  ErrorResponse,
  InvalidResponse,
  isRefusal,
  NodeFault,
  NodeRpcError,
  NodeTimeout,
  ResponseTooLarge,
  WrongChain,
} from "./faults.ts";
import type { Reply } from "./json-rpc.ts";
import type { MeteredNode, NoteRefusal } from "./metered-nodes.ts";
import type { Share, TakeOptions } from "./node-budget.ts";

/**
 * Most attempts at each node for one request. While half of a node's responses are failures, one of 128 requests fails, so a call
 * that needs several requests still succeeds in 95 of 100 cases.
 */
const maxRounds = 7;

/** Delay before the second round, in milliseconds. It doubles with each round, and is shortened at random by up to half. */
const firstDelayMs = 25;

/**
 * A node with `failures` failures in a row, for at least `ms` milliseconds, is down: requests to it are no longer repeated, so that
 * callers learn it soon and the node can recover. A timeout counts as several failures, because two of them take most of a call's time.
 */
const downAfter = { failures: 10, ms: 1_000 } as const;
const timeoutFailures = 5;

/** The request itself is wrong, in the node's opinion (JSON-RPC 2.0, section 5.1). Another node may know the method. */
const rejectedCodes: ReadonlySet<number> = new Set([-32_600, -32_601, -32_602]);

export interface FailoverOptions {
  readonly network: Pick<Network, "chainId" | "name" | "nodes">;
  readonly metered: readonly MeteredNode[];
  readonly share: Share;
  readonly client: Omit<NodeClientOptions, "url">;
  /** Timeout of one request including all attempts, in milliseconds. Undefined: only each attempt has one. */
  readonly timeoutMs?: number | undefined;
  /** Ends waiting and further attempts of all requests. */
  readonly signal?: AbortSignal | undefined;
  readonly onChainChanged: (node: number, reason: string | undefined) => void;
  /** Called when a node is demoted, unless it already was. */
  readonly onDemoted?: (node: number, reason: string) => void;
}

interface Node {
  readonly index: number;
  readonly metered: MeteredNode;
  readonly client: NodeClient;
  readonly callsOf: (options: TakeOptions) => NodeTransport;
  readonly check: ChainCheck;
  readonly demotion: Demotion;
  failures: number;
  /** Time of the first of these failures. */
  failingSince: number;
  lastFault: unknown;
}

export interface FailoverRequest<Value> {
  /** Calls the node with this index, and reads its response. */
  readonly send: (node: NodeTransport, index: number) => Promise<Value>;
  /** Whether the error is a valid response, which is thrown: no other node would respond differently. */
  readonly isResponse: (err: unknown) => boolean;
  readonly signal?: AbortSignal | undefined;
  /** Callers take turns at the nodes' budgets. */
  readonly caller?: string | undefined;
}

/** Sends each request to one node of a chain after the other, until one of them returns a valid response. */
export class NodeFailover {
  readonly #options: FailoverOptions;
  readonly #nodes: readonly Node[];
  /** The node of the last successful response. */
  #lastResponded: Node | undefined;

  constructor(options: FailoverOptions) {
    this.#options = options;
    const { network, metered } = options;
    this.#nodes = metered.map((one, index) => {
      const url = network.nodes[index]?.url ?? "";
      const check = new ChainCheck({
        chainId: network.chainId,
        onChange: (reason) => {
          one.isOfAnotherChain = reason !== undefined;
          options.onChainChanged(index, reason);
        },
      });
      const { share } = options;
      const countCheck = (): ((reply: Reply) => void) => {
        const noteRefusal = one.count(share, "eth_chainId");
        return (reply) => reportReply(noteRefusal, reply);
      };
      const client = openNodeClient({ ...options.client, url }, { check, countCheck });
      const callsOf: Node["callsOf"] = (take) => meteredCalls(client, one, share, take);
      const demotion = new Demotion();
      return {
        index,
        metered: one,
        client,
        callsOf,
        check,
        demotion,
        failures: 0,
        failingSince: 0,
        lastFault: undefined,
      };
    });
  }

  /** For each node, whether it is not demoted. */
  get healthy(): readonly boolean[] {
    return this.#nodes.map(({ demotion }) => !demotion.isActive);
  }

  /** Index of the node that is asked first. */
  get preferred(): number {
    return this.#inOrder(this.#nodes)[0]?.index ?? 0;
  }

  /** Why no node can be used: every one belongs to another chain. Undefined if some node may be of the right chain. */
  get mismatch(): string | undefined {
    const reasons = this.#nodes.map(
      ({ check: { mismatch } }, index) => mismatch && `node ${index}: ${mismatch}`,
    );
    return reasons.every((reason) => reason !== undefined) ? reasons.join("; ") : undefined;
  }

  /** Checks the nodes whose chain is unknown, or wrong as any part of the host found. Never throws. */
  async identify(): Promise<void> {
    const unverified = this.#nodes.filter(
      ({ check, demotion, metered }) =>
        check.mismatch !== undefined || metered.isOfAnotherChain || (!check.isVerified && !demotion.isActive),
    );
    await Promise.all(
      unverified.map((node) => node.client.checkChain().catch((err) => this.#noteFailure(node, err))),
    );
  }

  /**
   * Returns the first valid response. A round tries every node once; another round follows if a node may succeed then. Throws the
   * error that is a response, or AllNodesFailed.
   */
  async request<Value>(request: FailoverRequest<Value>): Promise<Value> {
    const { signal: stop } = this.#options;
    const ended = new AbortController();
    const end = (): void => ended.abort(stop?.reason);
    const forget = onAbort(stop, end);
    try {
      return await this.#request(request, ended.signal);
    } finally {
      forget();
      // Attempts that still wait for a node's budget must not use it.
      end();
    }
  }

  async #request<Value>(request: FailoverRequest<Value>, ended: AbortSignal): Promise<Value> {
    const { timeoutMs } = this.#options;
    const take = { maxWaitMs: timeoutMs, signal: ended, caller: request.caller };
    const deadline = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
    const faults = new Map<Node, unknown>();
    let retryable = this.#nodes;
    for (let round = 1; ; round++) {
      for (const node of this.#inOrder(retryable)) {
        try {
          const value = await withDeadline(
            deadline,
            request.signal,
            request.send(node.callsOf(take), node.index),
          );
          this.#noteSuccess(node);
          return value;
        } catch (err) {
          if (request.isResponse(err) || this.#isAborted(request)) throw err;
          const isLast = err instanceof DeadlineReached || isOver(deadline);
          const fault = isLast ? this.#faultAtDeadline(node, err) : err;
          if (!(isLast && isRefusal(faults.get(node)))) faults.set(node, fault);
          if (!this.#noteFailure(node, fault)) retryable = retryable.filter((one) => one !== node);
          if (isLast) throw new AllNodesFailed([...faults.values()]);
        }
      }
      if (round >= maxRounds || retryable.length === 0) break;
      await this.#waitForRound(round, request.signal);
      if (isOver(deadline) || this.#isAborted(request)) break;
    }
    throw new AllNodesFailed([...faults.values()]);
  }

  /** Returns the responses of all healthy nodes except the one that responded last. Nodes that fail are omitted. */
  async requestFromOthers<Value>(send: FailoverRequest<Value>["send"]): Promise<readonly Value[]> {
    const { timeoutMs, signal } = this.#options;
    const take = { maxWaitMs: timeoutMs, signal };
    const others = this.#nodes.filter((node) => node !== this.#lastResponded && !node.demotion.isActive);
    const results = await Promise.allSettled(others.map((node) => send(node.callsOf(take), node.index)));
    return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  }

  /** Returns the response of each node, demoted ones included, in the order of the configuration; undefined for nodes that fail. */
  async requestFromEach<Value>(
    send: FailoverRequest<Value>["send"],
  ): Promise<readonly (Value | undefined)[]> {
    const { timeoutMs, signal } = this.#options;
    const take = { maxWaitMs: timeoutMs, signal };
    return Promise.all(
      this.#nodes.map((node) => send(node.callsOf(take), node.index).catch(() => undefined)),
    );
  }

  /** Demotes a node that is behind the others. */
  demoteLagging(index: number, reason: string): void {
    const node = this.#nodes[index];
    if (node !== undefined) this.#demote(node, demotionMs.lags, reason);
  }

  /** Demotes the node that responded last, because the others contradict it. */
  demoteLast(reason: string): void {
    if (this.#lastResponded !== undefined) this.#demote(this.#lastResponded, demotionMs.outvoted, reason);
  }

  /** A request that still waits for the node's budget ends at the deadline, but because of the node's limit. */
  #faultAtDeadline({ metered }: Node, err: unknown): unknown {
    const { share, timeoutMs } = this.#options;
    return metered.budget.hasWaiting(share)
      ? new BudgetExhausted(`its limit allowed no further request within ${timeoutMs} ms`)
      : err;
  }

  /** In the order of the configuration, but nodes that would make the request wait are later, and demoted ones last. */
  #inOrder(nodes: readonly Node[]): readonly Node[] {
    const rankOf = ({ demotion, metered }: Node): number => {
      if (demotion.isActive) return demotion.until;
      return metered.budget.isFree(this.#options.share) ? 0 : 1;
    };
    const ranked = nodes.map((node) => ({ node, rank: rankOf(node) }));
    return ranked.sort((a, b) => a.rank - b.rank).map(({ node }) => node);
  }

  #noteSuccess(node: Node): void {
    node.demotion.end();
    node.failures = 0;
    this.#lastResponded = node;
  }

  /**
   * The next node is asked after any error that the caller does not take for a response. How long this one stays demoted, and whether it
   * is asked again, depends on the error. Returns whether the same request may succeed later.
   */
  #noteFailure(node: Node, err: unknown): boolean {
    if (err instanceof BudgetExhausted) return false;
    if (err instanceof NodeRpcError && err.refusal === undefined && rejectedCodes.has(err.code)) return false;
    if (err instanceof BlockNotFound) node.demotion.start(demotionMs.lacksBlock);
    else if (err instanceof WrongChain) this.#demote(node, demotionMs.wrongChain, err.message);
    else if (err instanceof InvalidResponse) this.#demote(node, demotionMs.invalidResponse, err.message);
    else if (isRefusal(err)) {
      node.demotion.start(demotionMs.refused);
      return true;
    } else return this.#noteFault(node, err);
    return false;
  }

  #noteFault(node: Node, err: unknown): boolean {
    // A different node may be behind the same URL after a failure.
    node.check.invalidate();
    const reason = err instanceof NodeFault || err instanceof NodeRpcError ? `: ${err.reason}` : "";
    this.#demote(node, demotionMs.failed, `${problemOf(err)}${reason}`);
    const now = performance.now();
    if (node.failures === 0) node.failingSince = now;
    // The calls of a batch fail with one error.
    if (err !== node.lastFault) node.failures += err instanceof NodeTimeout ? timeoutFailures : 1;
    node.lastFault = err;
    if (err instanceof ResponseTooLarge || (err instanceof NodeRpcError && !isTransient(err))) return false;
    return node.failures < downAfter.failures || now - node.failingSince < downAfter.ms;
  }

  #demote(node: Node, ms: number, reason: string): void {
    if (node.demotion.start(ms)) this.#options.onDemoted?.(node.index, reason);
  }

  #isAborted({ signal }: Pick<FailoverRequest<unknown>, "signal">): boolean {
    return signal?.aborted === true || this.#options.signal?.aborted === true;
  }

  async #waitForRound(round: number, signal: AbortSignal | undefined): Promise<void> {
    const delayMs = firstDelayMs * 2 ** (round - 1) * (0.5 + Math.random() / 2);
    await sleep(delayMs, signal ?? this.#options.signal);
  }
}

function problemOf(err: unknown): string {
  return err instanceof NodeRpcError || err instanceof ErrorResponse
    ? "it returned an error"
    : "it does not respond";
}

/** Whether it is an internal error, or one of the errors of servers (JSON-RPC 2.0, section 5.1). */
function isTransient({ code, status }: NodeRpcError): boolean {
  return status >= 500 || code === -32_603 || (code >= -32_099 && code <= -32_000);
}

/** The request as a whole has used up its time. Timers may run a millisecond early. */
class DeadlineReached extends NodeFault {
  constructor() {
    super("the request timed out");
  }
}

/** `deadline` is a time of `performance.now()`. */
function isOver(deadline: number | undefined): boolean {
  return deadline !== undefined && performance.now() >= deadline;
}

/**
 * Rejects with DeadlineReached at the deadline, or when the signal aborts. Uses a timer rather than AbortSignal.any, because Node 20 may garbage-collect
 * signals that only other signals reference.
 */
export function withDeadline<Value>(
  deadline: number | undefined,
  signal: AbortSignal | undefined,
  work: Promise<Value>,
): Promise<Value> {
  if (deadline === undefined) return work;
  let end = (): void => {};
  return new Promise<Value>((done, fail) => {
    const leftMs = Math.max(1, Math.ceil(deadline - performance.now()));
    end = callAfter(leftMs, signal, () => fail(new DeadlineReached()));
    work.then(done, fail);
  }).finally(() => end());
}

/** Waits for the node's budget before each call, and reports to it whether the node refused the call. */
function meteredCalls(
  client: NodeClient,
  { take }: MeteredNode,
  share: Share,
  options: TakeOptions,
): NodeTransport {
  const metered = (send: NodeClient["sendAlone"]): NodeCall => {
    return async (method, params) => {
      const noteRefusal = await take(share, method, options);
      const { reply, chainFault } = await send(method, params);
      reportReply(noteRefusal, reply);
      if (chainFault !== undefined) throw chainFault;
      if (reply instanceof Error) throw reply;
      return reply.result;
    };
  };
  return { callAlone: metered(client.sendAlone), callInBatch: metered(client.sendInBatch) };
}

function reportReply(noteRefusal: NoteRefusal, reply: Reply): void {
  if (isRefusal(reply)) noteRefusal(reply.refusal, reply.reason);
}
