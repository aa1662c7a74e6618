import { type JsonRpcOptions, openJsonRpc, type RpcCall } from "./json-rpc.ts";

/** Calls a JSON-RPC method. Throws NodeFault and RpcError. */
export type NodeCall = (method: string, params: readonly unknown[]) => Promise<unknown>;

export interface NodeClient {
  /** Sends the call in its own HTTP request. */
  readonly callAlone: NodeCall;
  /** Sends the call in one HTTP request with other calls made at the same time. */
  readonly callInBatch: NodeCall;
}

export interface NodeClientOptions extends JsonRpcOptions {
  readonly maxBatchCalls: number;
}

interface WaitingCall extends RpcCall {
  readonly done: (result: unknown) => void;
  readonly fail: (err: unknown) => void;
}

/** Time-out of a batch, in milliseconds, and for each of its calls. A node that hangs is noticed soon, but a long batch may take long. */
const batchTimeoutMs = { base: 4_000, call: 500 };

/** Ids are never reused, so that a late or cached response cannot match another call. */
let lastId = 0;

export function openNodeClient({ maxBatchCalls, ...options }: NodeClientOptions): NodeClient {
  const sendJsonRpc = openJsonRpc(options);
  let waiting: WaitingCall[] = [];

  async function send(calls: readonly WaitingCall[]): Promise<void> {
    try {
      const payload = calls.map(({ id, method, params }) => ({ id, method, params }));
      const responseTo = await sendJsonRpc(payload, batchTimeoutMs.base + calls.length * batchTimeoutMs.call);
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
    async callAlone(method, params) {
      const call = { id: ++lastId, method, params };
      const reply = (await sendJsonRpc(call))(call.id);
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
