import { type JsonRpcOptions, openJsonRpc, type RpcCall } from "./json-rpc.ts";

/** Throws NodeFault and RpcError. */
export type NodeCall = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** One node over HTTP. */
export interface NodeClient {
  /** In an HTTP request of its own. */
  readonly callAlone: NodeCall;
  /** In one HTTP request with the other questions of the same moment. */
  readonly callInBatch: NodeCall;
}

export interface NodeClientOptions extends JsonRpcOptions {
  /** Most questions in one HTTP request. */
  readonly maxBatchCalls: number;
}

interface Waiting extends RpcCall {
  readonly done: (result: unknown) => void;
  readonly fail: (err: unknown) => void;
}

/** Never given twice, so that a late or cached response answers no other question. */
let lastId = 0;

export function openNodeClient({ maxBatchCalls, ...options }: NodeClientOptions): NodeClient {
  const exchange = openJsonRpc(options);
  let waiting: Waiting[] = [];

  async function send(some: readonly Waiting[]): Promise<void> {
    try {
      const answerOf = await exchange(some.map(({ id, method, params }) => ({ id, method, params })));
      for (const { id, done, fail } of some) {
        const answer = answerOf(id);
        if (answer instanceof Error) fail(answer);
        else done(answer.result);
      }
    } catch (err) {
      for (const { fail } of some) fail(err);
    }
  }

  function sendAll(): void {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += maxBatchCalls)
      void send(all.slice(start, start + maxBatchCalls));
  }

  return {
    async callAlone(method, params) {
      const question = { id: ++lastId, method, params };
      const answer = (await exchange(question))(question.id);
      if (answer instanceof Error) throw answer;
      return answer.result;
    },
    callInBatch: (method, params) =>
      new Promise((done, fail) => {
        if (waiting.length === 0) setImmediate(sendAll);
        waiting.push({ id: ++lastId, method, params, done, fail });
      }),
  };
}
