/** How nodes, and proxies in front of them, fail. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Exchange, Fault, RpcAnswer, RpcCall } from "./faulty-node.ts";

export interface NodeFaultRow {
  readonly name: string;
  /** Creates the fault with fresh state. */
  readonly make: (world: { readonly otherChainUrl: string }) => Fault;
}

const page = "<html><body><h1>Bad gateway</h1><p>execution reverted</p></body></html>";
const revert = { code: 3, message: "execution reverted", data: "0x" };

/** Longer than a host waits for a node, in milliseconds. */
const tooLateMs = 4_000;

/** Responses of a gateway only. */
const statuses = [
  [401, '{"error":"invalid api key"}'],
  [429, '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"too many requests"}}'],
  [500, "internal error"],
  [502, page],
  [503, ""],
] as const;

const withBody =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): Fault =>
  ({ res }) =>
    void res.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

/** Changes each real response; the chain id stays right. */
const changed =
  (change: (answer: RpcAnswer, call: RpcCall) => unknown): Fault =>
  async ({ calls, forward, send }) => {
    const byId = new Map(calls.map((call) => [call.id, call]));
    const answers = await forward();
    send(
      answers.map((answer) => {
        const call = byId.get(Number(answer.id));
        return call === undefined || call.method === "eth_chainId" ? answer : change(answer, call);
      }),
    );
  };

const result =
  (make: (answer: RpcAnswer) => unknown): Fault =>
  (exchange) =>
    changed((answer) => ({ jsonrpc: "2.0", id: answer.id, result: make(answer) }))(exchange);

const error = (make: unknown): Fault => changed(({ id }) => ({ jsonrpc: "2.0", id, error: make }));

/** Changes the list of real responses. */
const relisted =
  (relist: (answers: readonly RpcAnswer[]) => readonly unknown[]): Fault =>
  async ({ forward, send }) =>
    send(relist(await forward()));

async function realText({ forward, isList }: Exchange): Promise<string> {
  const answers = await forward();
  return JSON.stringify(isList ? answers : answers[0]);
}

/** As if the newest blocks had not reached this node. */
const behind =
  (blocks: number): Fault =>
  async ({ calls, forward, send }) => {
    const [head] = await forward([{ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] }]);
    const number = `0x${(Number(head?.result) - blocks).toString(16)}`;
    const asked = calls.map((call) => ({
      ...call,
      params: call.params.map((param) => (param === "latest" ? number : param)),
    }));
    const heads = new Set(calls.filter(({ method }) => method === "eth_blockNumber").map(({ id }) => id));
    const answers = await forward(asked);
    send(answers.map((answer) => (heads.has(Number(answer.id)) ? { ...answer, result: number } : answer)));
  };

const late = (send: (exchange: Exchange, text: string) => void): Fault => {
  return async (exchange) => {
    const text = await realText(exchange);
    send(exchange, text);
  };
};

export const nodeFaults: readonly NodeFaultRow[] = [
  ...statuses.map(([status, body]) => ({
    name: `HTTP ${status}`,
    make: () => withBody(status, body),
  })),
  {
    name: "HTTP 500 around a revert",
    make:
      () =>
      ({ calls, isList, res }: Exchange) => {
        const answers = calls.map(({ id }) => ({ jsonrpc: "2.0", id, error: revert }));
        res.writeHead(500).end(JSON.stringify(isList ? answers : answers[0]));
      },
  },
  { name: "HTTP 500 with a page of 2 MiB", make: () => withBody(500, "x".repeat(2 ** 21)) },
  { name: "HTTP 200 with a page of HTML", make: () => withBody(200, page) },
  { name: "HTTP 200 with the text of an error", make: () => withBody(200, '{"error":"execution reverted"}') },
  { name: "a redirect", make: () => withBody(307, "", { location: "/elsewhere" }) },
  {
    name: "JSON that is cut off",
    make: () => late(({ res }, text) => void res.end(text.slice(0, -10))),
  },
  { name: "an empty body", make: () => withBody(200, "") },
  { name: "no response at all", make: () => () => {} },
  {
    name: "headers that come too late",
    make: () => late(({ res }, text) => void setTimeout(() => res.end(text), tooLateMs)),
  },
  {
    name: "a body whose end comes too late",
    make: () =>
      late(({ res }, text) => {
        res.writeHead(200).write(text.slice(0, 20));
        setTimeout(() => res.end(text.slice(20)), tooLateMs);
      }),
  },
  {
    name: "a reset before the response",
    make:
      () =>
      ({ res }) =>
        void res.destroy(),
  },
  {
    name: "a reset in the middle of the body",
    make: () =>
      late(({ res }, text) => {
        res.writeHead(200, { "content-length": text.length }).write(text.slice(0, 20), () => res.destroy());
      }),
  },
  { name: "gzip that is none", make: () => withBody(200, "no gzip", { "content-encoding": "gzip" }) },
  {
    name: "a response over 1 MiB",
    make: () => late(({ res }, text) => void res.end(`${" ".repeat(2 ** 20)}${text}`)),
  },
  {
    name: "a revert over 1 MiB",
    make: () => error({ ...revert, data: `0x${"00".repeat(2 ** 20)}` }),
  },
  {
    name: "ids of other questions",
    make: () => changed((answer) => ({ ...answer, id: Number(answer.id) + 1_000 })),
  },
  { name: "ids that are texts", make: () => changed((answer) => ({ ...answer, id: String(answer.id) })) },
  { name: "answers without a result", make: () => changed(({ id }) => ({ jsonrpc: "2.0", id })) },
  { name: "a result that is null", make: () => result(() => null) },
  { name: "a result that is a number", make: () => result(() => 1) },
  { name: "a result that is an object", make: () => result((answer) => ({ value: answer.result })) },
  { name: "a result of half a byte", make: () => result(() => "0x1") },
  { name: "a result that is no hex", make: () => result(() => "0xzz") },
  {
    name: "an error whose code is a text",
    make: () => error({ code: "REVERT", message: "execution reverted" }),
  },
  { name: "an error without a message", make: () => error({ code: 3 }) },
  {
    name: "an error of nobody's code",
    make: () => error({ code: 1_234_567, message: "execution reverted" }),
  },
  {
    name: "a limit under the code of a revert",
    make: () => error({ code: 3, message: "daily limit reached" }),
  },
  { name: "an error that is a text", make: () => error("execution reverted") },
  { name: "a reason of a revert that is cut off", make: () => error({ ...revert, data: "0x08c379a" }) },
  { name: "a reason of a revert that is garbage", make: () => error({ ...revert, data: "~~garbage~~" }) },
  { name: "a fault of the node itself", make: () => error({ code: -32_603, message: "internal error" }) },
  {
    name: "one error for a whole list",
    make: () => withBody(200, JSON.stringify({ jsonrpc: "2.0", id: null, error: revert })),
  },
  {
    name: "one answer for a whole list",
    make:
      () =>
      async ({ forward, res }: Exchange) =>
        void res.end(JSON.stringify((await forward())[0])),
  },
  { name: "answers in another order", make: () => relisted((answers) => answers.toReversed()) },
  { name: "a list without its last answer", make: () => relisted((answers) => answers.slice(0, -1)) },
  { name: "answers that come twice", make: () => relisted((answers) => [...answers, ...answers]) },
  {
    name: "the first answer in place of all",
    make: () => relisted((answers) => answers.map(() => answers[0])),
  },
  {
    name: "another chain after a failure",
    make: ({ otherChainUrl }) => {
      let hasFailed = false;
      let ask: () => void = () => {};
      const isAsked = new Promise<void>((done) => {
        ask = done;
      });
      return async (exchange) => {
        if (!hasFailed) {
          hasFailed = true;
          exchange.res.writeHead(502).end(page);
          return;
        }
        if (exchange.calls.some(({ method }) => method === "eth_chainId")) ask();
        // Requests that were sent before the failure was seen wait: their sender could not know that the chain had changed. Without a check
        // of the chain id they get the other chain's data, which must be noticed.
        await Promise.race([isAsked, sleep(500)]);
        exchange.send(await exchange.forward(exchange.calls, otherChainUrl));
      };
    },
  },
  {
    name: "no chain at all",
    make:
      () =>
      async ({ calls, forward, send }) => {
        const answers = await forward();
        const ids = new Set(calls.filter(({ method }) => method === "eth_chainId").map(({ id }) => id));
        send(answers.map((answer) => (ids.has(Number(answer.id)) ? { ...answer, result: null } : answer)));
      },
  },
  { name: "2 blocks behind", make: () => behind(2) },
  { name: "6 blocks behind", make: () => behind(6) },
];
