import { type ChainCheck, notAResponse } from "./chain-check.ts";
import { type JsonRpcOptions, openJsonRpc, type ResponseTo, type RpcCall } from "./json-rpc.ts";

/** Calls a JSON-RPC method. Throws NodeFault and RpcError. */
export type NodeCall = (method: string, params: readonly unknown[]) => Promise<unknown>;

export interface NodeCalls {
  /** Sends the call in its own HTTP request. */
  readonly callAlone: NodeCall;
  /** Sends the call in one HTTP request with other calls made at the same time. */
  readonly callInBatch: NodeCall;
}

/** Returns responses only of a node that belongs to its chain. */
export interface NodeClient extends NodeCalls {
  /** Throws WrongChain, or why the node's chain is unknown. Concurrent calls share one check. */
  readonly checkChain: () => Promise<void>;
}

export interface NodeClientOptions extends JsonRpcOptions {
  /** Most calls in one HTTP request, in addition to a check of the chain. */
  readonly maxBatchCalls: number;
}

export interface NodeChecks {
  readonly check: ChainCheck;
  /** Waits until a check may be sent, then calls `send` and counts the check. */
  readonly meterCheck: <Value>(send: () => Promise<Value>) => Promise<Value>;
}

interface WaitingCall extends RpcCall {
  readonly done: (result: unknown) => void;
  readonly fail: (err: unknown) => void;
}

/** Time-out of a batch, in milliseconds, and for each of its calls. A node that hangs is noticed soon, but a long batch may take long. */
const batchTimeoutMs = { base: 4_000, call: 500 };

/** Ids are never reused, so that a late or cached response cannot match another call. */
let lastId = 0;

export function openNodeClient(
  { maxBatchCalls, ...options }: NodeClientOptions,
  { check, meterCheck }: NodeChecks,
): NodeClient {
  const sendJsonRpc = openJsonRpc(options);
  let waiting: WaitingCall[] = [];
  let checking: { readonly invalidations: number; readonly done: Promise<void> } | undefined;

  function sendBatch(calls: readonly RpcCall[]): Promise<ResponseTo> {
    const payload = calls.map(({ id, method, params }) => ({ id, method, params }));
    return sendJsonRpc(payload, batchTimeoutMs.base + calls.length * batchTimeoutMs.call);
  }

  /** One HTTP response is of one node, so its calls need no other check, whatever fails in the meantime. */
  function sendWithCheck(calls: readonly RpcCall[]): Promise<ResponseTo> {
    return meterCheck(async () => {
      const readCheck = check.start();
      const id = ++lastId;
      const responseTo = await sendBatch([{ id, method: "eth_chainId", params: [] }, ...calls]).catch(
        (err: unknown) => {
          throw notAResponse(err);
        },
      );
      readCheck(responseTo(id));
      return responseTo;
    });
  }

  function checkChain(): Promise<void> {
    const { invalidations } = check;
    if (checking?.invalidations !== invalidations) {
      const done = sendWithCheck([]).then(() => {});
      checking = { invalidations, done };
      const end = (): void => {
        if (checking?.done === done) checking = undefined;
      };
      done.then(end, end);
    }
    return checking.done;
  }

  /** Returns or throws the response to a request that was sent with a check in another HTTP request, or without one. */
  async function verified(request: Promise<ResponseTo>, checked?: Promise<void>): Promise<ResponseTo> {
    const [response, checkResult] = await Promise.allSettled([request, checked]);
    if (checkResult.status === "rejected") throw checkResult.reason;
    // Another request may have failed in the meantime.
    if (check.isDue) await checkChain();
    if (response.status === "rejected") throw response.reason;
    return response.value;
  }

  async function send(calls: readonly WaitingCall[]): Promise<void> {
    try {
      const responseTo = await (check.isDue ? sendWithCheck(calls) : verified(sendBatch(calls)));
      for (const { id, done, fail } of calls) {
        const reply = responseTo(id);
        if (reply instanceof Error) fail(reply);
        else done(reply.result);
      }
    } catch (err) {
      for (const { fail } of calls) fail(err);
    }
  }

  function sendAll(): void {
    const waitingCalls = waiting;
    waiting = [];
    for (let start = 0; start < waitingCalls.length; start += maxBatchCalls)
      void send(waitingCalls.slice(start, start + maxBatchCalls));
  }

  return {
    checkChain,
    async callAlone(method, params) {
      const call = { id: ++lastId, method, params };
      // Not in one batch: some nodes reject a batch for the size of one result, without saying so in a response to the call.
      const checked = check.isDue ? checkChain() : undefined;
      const responseTo = await verified(sendJsonRpc(call), checked);
      const reply = responseTo(call.id);
      if (reply instanceof Error) throw reply;
      return reply.result;
    },
    callInBatch: (method, params) =>
      new Promise((done, fail) => {
        if (waiting.length === 0) setImmediate(sendAll);
        waiting.push({ id: ++lastId, method, params, done, fail });
      }),
  };
}
