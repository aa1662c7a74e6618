import { Semaphore } from "../../../base/semaphore.ts";
import { nodeLimits } from "../node-limits.ts";
import {
  ErrorResponse,
  NodeFault,
  NodeRpcError,
  NodeTimeout,
  ResponseTooLarge,
  WrongChain,
} from "./faults.ts";
import {
  type JsonRpcOptions,
  openJsonRpc,
  type Reply,
  type ResponseTo,
  type RpcCall,
  type RpcPayload,
} from "./json-rpc.ts";

/** Calls a JSON-RPC method. Throws NodeFault and NodeRpcError. */
export type NodeCall = (method: string, params: readonly unknown[]) => Promise<unknown>;

export interface NodeTransport {
  /** Sends the call in its own HTTP request. */
  readonly callAlone: NodeCall;
  /** Sends the call in one HTTP request with other calls made at the same time. */
  readonly callInBatch: NodeCall;
}

interface CheckedReply {
  readonly reply: Reply;
  /** Set if the reply does not count: the node belongs to another chain, or its chain is unknown. */
  readonly chainFault: unknown;
}

type Send = (method: string, params: readonly unknown[]) => Promise<CheckedReply>;

export interface NodeClient {
  readonly sendAlone: Send;
  readonly sendInBatch: Send;
  /** Throws WrongChain, or why the node's chain is unknown. Concurrent calls share one check. */
  readonly checkChain: () => Promise<void>;
}

export interface NodeClientOptions extends JsonRpcOptions {
  /** Most calls in one HTTP request, in addition to a check of the chain. */
  readonly maxBatchCalls: number;
}

interface NodeChecks {
  readonly check: ChainCheck;
  /** Counts a check. The returned function reads the node's reply to it. */
  readonly countCheck: () => (reply: Reply) => void;
}

interface WaitingCall extends RpcCall {
  readonly done: (reply: CheckedReply) => void;
}

type Run = (send: () => Promise<Responses>) => Promise<Responses>;

interface Responses {
  readonly responseTo: ResponseTo;
  /** Why there is no response. */
  readonly failure: unknown;
  /** Whether the calls were sent in several HTTP requests, which different nodes behind one URL may have answered. */
  readonly isApart?: boolean;
}

/** Timeout of a batch, in milliseconds, and for each of its calls. A node that hangs is noticed soon, but a long batch may take long. */
const batchTimeoutMs = { base: 4_000, call: 500 };

/** Most HTTP requests at a time for calls of one batch that a node does not take as a whole. Public nodes limit connections. */
const maxConcurrentParts = 8;

/** Ids are never reused, so that a late or cached response cannot match another call. */
let lastId = 0;

export function openNodeClient(
  { maxBatchCalls, ...options }: NodeClientOptions,
  { check, countCheck }: NodeChecks,
): NodeClient {
  const sendJsonRpc = openJsonRpc(options);
  const sizes = new BatchSizes();
  const parts = new Semaphore(maxConcurrentParts);
  let waiting: WaitingCall[] = [];
  let checking: { readonly invalidations: number; readonly fault: Promise<unknown> } | undefined;

  async function send(payload: RpcPayload, timeoutMs?: number): Promise<Responses> {
    try {
      return { responseTo: await sendJsonRpc(payload, timeoutMs), failure: undefined };
    } catch (err) {
      return { responseTo: () => err as NodeFault, failure: err };
    }
  }

  /** In one HTTP request, or in as many as the node needs. */
  async function sendBatch(calls: readonly RpcCall[], run: Run = (work) => work()): Promise<Responses> {
    const size = calls.length;
    if (size > sizes.limit) return sendParts(calls, sizes.limit);
    const payload = calls.map(({ id, method, params }) => ({ id, method, params }));
    const [only] = payload;
    const timeoutMs = batchTimeoutMs.base + size * batchTimeoutMs.call;
    const responses = await run(() => send(size === 1 && only !== undefined ? only : payload, timeoutMs));
    if (size === 1) return responses;
    if (!isBatchFailure(responses, calls)) {
      if (responses.failure === undefined) sizes.answered(size);
      return responses;
    }
    const partSize = sizes.partAfter(size, responses.failure);
    if (partSize === size) return responses;
    // A different node may be behind the same URL after a failure.
    check.invalidate();
    const inParts = await sendParts(calls, partSize);
    // If a call fails alone as well, the node may take batches of this size without that call.
    if (calls.every(({ id }) => "result" in inParts.responseTo(id))) sizes.lower(partSize);
    return inParts;
  }

  async function sendParts(calls: readonly RpcCall[], size: number): Promise<Responses> {
    const slices = Array.from({ length: Math.ceil(calls.length / size) }, (_, index) =>
      calls.slice(index * size, (index + 1) * size),
    );
    const sent = await Promise.all(slices.map((slice) => sendBatch(slice, (work) => parts.run(work))));
    const byId = new Map(slices.flatMap((slice, at) => slice.map(({ id }) => [id, sent[at]] as const)));
    const failures = sent.map(({ failure }) => failure).filter((failure) => failure !== undefined);
    // A different node may have sent the other responses.
    if (failures.some((failure) => !(failure instanceof NodeRpcError))) {
      check.invalidate();
      sizes.failedWithinLimit();
    }
    return {
      responseTo: (id) =>
        byId.get(id)?.responseTo(id) ?? new NodeFault("its responses do not match the calls"),
      failure: failures.length === sent.length ? failures[0] : undefined,
      isApart: true,
    };
  }

  /** Sends calls and a check together. Responses of one HTTP request come from one node, so a later failure of the node does not matter. */
  async function sendWithCheck(
    calls: readonly RpcCall[],
  ): Promise<Responses & { readonly chainFault: unknown }> {
    const count = countCheck();
    const readCheck = check.start();
    const id = ++lastId;
    const responses = await sendBatch([{ id, method: "eth_chainId", params: [] }, ...calls]);
    const reply = responses.responseTo(id);
    count(reply);
    const chainFault = faultOf(() => readCheck(reply));
    const isUnclear = responses.isApart === true && chainFault === undefined && check.isDue;
    return { ...responses, chainFault: isUnclear ? await findChainFault() : chainFault };
  }

  function findChainFault(): Promise<unknown> {
    const { invalidations } = check;
    if (checking?.invalidations !== invalidations) {
      const fault = sendWithCheck([]).then(({ chainFault }) => chainFault);
      checking = { invalidations, fault };
      void fault.then(() => {
        if (checking?.fault === fault) checking = undefined;
      });
    }
    return checking.fault;
  }

  /** For calls without a check in their HTTP request. `checked` is a check that was sent at the same time. */
  async function findFaultAfter({ failure }: Responses, checked?: Promise<unknown>): Promise<unknown> {
    if (failure !== undefined && !(failure instanceof NodeRpcError)) return undefined;
    const fault = await checked;
    if (fault !== undefined) return fault;
    // Another request may have failed in the meantime, and a different node may have sent this response.
    return check.isDue ? findChainFault() : undefined;
  }

  async function sendCalls(calls: readonly WaitingCall[]): Promise<void> {
    if (check.isDue) {
      const { responseTo, chainFault } = await sendWithCheck(calls);
      for (const { id, done } of calls) done({ reply: responseTo(id), chainFault });
      return;
    }
    const responses = await sendBatch(calls);
    const chainFault = await findFaultAfter(responses);
    for (const { id, done } of calls) done({ reply: responses.responseTo(id), chainFault });
  }

  function sendAll(): void {
    const waitingCalls = waiting;
    waiting = [];
    for (let start = 0; start < waitingCalls.length; start += maxBatchCalls)
      void sendCalls(waitingCalls.slice(start, start + maxBatchCalls));
  }

  return {
    async checkChain() {
      const fault = await findChainFault();
      if (fault !== undefined) throw fault;
    },
    async sendAlone(method, params) {
      const call = { id: ++lastId, method, params };
      // Not in one batch: some nodes reject a whole batch because one result is too large, and then no response is about that call.
      const checked = check.isDue ? findChainFault() : undefined;
      const responses = await send(call);
      return { reply: responses.responseTo(call.id), chainFault: await findFaultAfter(responses, checked) };
    },
    sendInBatch: (method, params) =>
      new Promise((done) => {
        if (waiting.length === 0) setImmediate(sendAll);
        waiting.push({ id: ++lastId, method, params, done });
      }),
  };
}

function faultOf(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (err) {
    return err;
  }
}

/**
 * Whether a response may refuse the batch rather than its calls. A node that did not respond, or that refuses requests for their
 * rate, would not take smaller batches either.
 */
function isBatchFailure({ failure, responseTo }: Responses, calls: readonly RpcCall[]): boolean {
  if (failure instanceof NodeRpcError || failure instanceof NodeFault)
    return isAboutBatches(failure) || (failure.refusal === undefined && !isUnrelated(failure));
  return calls.every(({ id }) => isAboutBatches(responseTo(id)));
}

function isUnrelated(failure: unknown): boolean {
  return failure instanceof NodeTimeout || failure instanceof ResponseTooLarge;
}

function isAboutBatches(reply: unknown): boolean {
  return (reply instanceof NodeRpcError || reply instanceof NodeFault) && /\bbatch/i.test(reply.detail);
}

const { rememberMs, unclearFailures } = nodeLimits.batches;

/**
 * How many calls of one HTTP request a node takes. Some take single calls only, and say so in many ways: with one error in place of
 * a list, an error for each call, an HTTP status, a page, or nothing.
 */
class BatchSizes {
  #limit = Number.POSITIVE_INFINITY;
  #limitedUntil = 0;
  #rememberMs: number = rememberMs.first;
  #unclear = 0;
  /** Whether the limit was learned from failures that may have another reason. */
  #isGuess = false;

  get limit(): number {
    return performance.now() < this.#limitedUntil ? this.#limit : Number.POSITIVE_INFINITY;
  }

  answered(size: number): void {
    if (size > this.#limit) this.#rememberMs = rememberMs.first;
    this.#unclear = 0;
  }

  /** The size in which to send the calls of a batch that failed as a whole. It is the same size if the node seems to be down. */
  partAfter(size: number, failure: unknown): number {
    const isUnclear =
      failure instanceof NodeFault && !(failure instanceof ErrorResponse && failure.isAboutRequest);
    if (isUnclear && ++this.#unclear % unclearFailures !== 0) return size;
    this.#isGuess = isUnclear;
    return isUnclear ? 1 : Math.ceil(size / 2);
  }

  /** A batch within the limit did not get a response, so the limit may not be the node's. */
  failedWithinLimit(): void {
    if (this.#isGuess) this.#limitedUntil = 0;
  }

  /** A larger batch failed as a whole, and all of its calls were answered in batches of this size. */
  lower(size: number): void {
    const isRemembered = performance.now() < this.#limitedUntil;
    this.#limit = isRemembered ? Math.min(this.#limit, size) : size;
    if (isRemembered) return;
    this.#limitedUntil = performance.now() + this.#rememberMs;
    this.#rememberMs = Math.min(2 * this.#rememberMs, rememberMs.most);
  }
}

const validMs = 10_000;

interface ChainCheckOptions {
  readonly chainId: number;
  /** Called with a reason when the node turns out to be of another chain, and with undefined when it is of its own chain again. */
  readonly onChange?: (reason: string | undefined) => void;
}

/**
 * Whether a node belongs to its chain: checked with its first request, with the first requests after each failure (a different node
 * may be behind the same URL by then), and every ten seconds.
 */
export class ChainCheck {
  readonly #options: ChainCheckOptions;
  #validUntil = 0;
  #mismatch: string | undefined;
  #invalidations = 0;

  constructor(options: ChainCheckOptions) {
    this.#options = options;
  }

  get isDue(): boolean {
    return performance.now() >= this.#validUntil;
  }

  /** Why the node is not used: its last check found another chain. */
  get mismatch(): string | undefined {
    return this.#mismatch;
  }

  /** Whether a check has succeeded since the node's last failure. */
  get isVerified(): boolean {
    return this.#validUntil > 0;
  }

  /** Failures of the node so far, in calls of `invalidate`. */
  get invalidations(): number {
    return this.#invalidations;
  }

  /** Call this when the node failed. Its next response counts only after another check. */
  invalidate(): void {
    this.#invalidations++;
    this.#validUntil = 0;
  }

  /**
   * Call this before sending `eth_chainId`. The returned function reads the response, and throws WrongChain, or the error that the
   * response is.
   */
  start(): (reply: Reply) => void {
    const invalidations = this.#invalidations;
    return (reply) => {
      const mismatch = this.#mismatchIn(reply);
      if (mismatch !== this.#mismatch) this.#options.onChange?.(mismatch);
      this.#mismatch = mismatch;
      if (mismatch !== undefined) throw new WrongChain(mismatch);
      // A check from before a failure may have reached a different node.
      if (this.#invalidations === invalidations) this.#validUntil = performance.now() + validMs;
    };
  }

  #mismatchIn(reply: Reply): string | undefined {
    // A NodeRpcError here must not look like the response to a request that is sent together with the check.
    if (reply instanceof NodeRpcError) throw new ErrorResponse(reply.message, undefined, reply.refusal);
    if (reply instanceof Error) throw reply;
    const { result } = reply;
    if (typeof result !== "string" || !/^0x[0-9a-f]{1,13}$/i.test(result))
      throw new ErrorResponse("it does not report its chain id");
    const { chainId } = this.#options;
    const found = Number(result);
    return found === chainId ? undefined : `it is a node of chain ${found}, not of ${chainId}`;
  }
}
