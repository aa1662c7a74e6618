import { type ExchangeOptions, openExchange, type Question } from "./exchange.ts";

/** Throws NodeFault and RpcError. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** One node over HTTP. */
export interface NodeClient {
  /** In an HTTP request of its own. */
  readonly alone: Ask;
  /** In one HTTP request with the other questions of the same moment. */
  readonly together: Ask;
}

export interface NodeClientOptions extends ExchangeOptions {
  /** Most questions in one HTTP request. */
  readonly batch: number;
}

interface Waiting extends Question {
  readonly done: (result: unknown) => void;
  readonly fail: (err: unknown) => void;
}

/** Never given twice, so that a late or cached response answers no other question. */
let lastId = 0;

export function openNodeClient({ batch, ...options }: NodeClientOptions): NodeClient {
  const exchange = openExchange(options);
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
    for (let start = 0; start < all.length; start += batch) void send(all.slice(start, start + batch));
  }

  return {
    async alone(method, params) {
      const question = { id: ++lastId, method, params };
      const answer = (await exchange(question))(question.id);
      if (answer instanceof Error) throw answer;
      return answer.result;
    },
    together: (method, params) =>
      new Promise((done, fail) => {
        if (waiting.length === 0) setImmediate(sendAll);
        waiting.push({ id: ++lastId, method, params, done, fail });
      }),
  };
}
