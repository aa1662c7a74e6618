/** Nodes without the optional parts of JSON-RPC, and nodes that say that a log does not count: each event is recorded once. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSource } from "../../../../server/chain/follower/viem/open-source.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { emitterAddress, startEventChain } from "../../../support/event-chain.ts";
import {
  type Exchange,
  type Fault,
  type FaultyNode,
  type RpcAnswer,
  type RpcCall,
  startFaultyNode,
} from "../../../support/faulty-node.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { type ForkingChain, startFollowedChain } from "./followed-chain.ts";

/** Passes single calls, and lists of at most `most` calls, to the node. */
const lists =
  (most: number, refuse: (exchange: Exchange) => unknown): Fault =>
  async (exchange) => {
    const { calls, isList, send, forward } = exchange;
    if (isList && calls.length > most) await refuse(exchange);
    else send(await forward());
  };
const respond =
  (status: number, body: unknown) =>
  ({ res }: Exchange): void => {
    res.writeHead(status, { "content-type": "application/json" });
    res.end(typeof body === "string" ? body : JSON.stringify(body));
  };
const error = (code: number, message: string, id: number | null = null): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

/** Rejects some calls of the node. */
const without =
  (isMissing: (call: RpcCall) => boolean, code: number, message: string): Fault =>
  async ({ calls, send, forward }) => {
    const rest = calls.filter((call) => !isMissing(call));
    const answers = rest.length === 0 ? [] : await forward(rest);
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    send(calls.map(({ id }) => byId.get(id) ?? error(code, message, id)));
  };

type Log = Readonly<Record<string, unknown>>;

/** Changes the logs that the node returns. */
const logs =
  (change: (logs: readonly Log[]) => readonly unknown[]): Fault =>
  async ({ calls, send, forward }) => {
    const asked = new Set(calls.filter(({ method }) => method === "eth_getLogs").map(({ id }) => id));
    const answers = await forward();
    send(
      answers.map((answer: RpcAnswer) =>
        asked.has(Number(answer.id)) && Array.isArray(answer.result)
          ? { ...answer, result: change(answer.result as readonly Log[]) }
          : answer,
      ),
    );
  };

const wantsBlockHash = ({ method, params }: RpcCall): boolean =>
  method === "eth_getLogs" && "blockHash" in (params[0] as object);
const wantsTag = ({ params }: RpcCall): boolean => params[0] === "finalized" || params[0] === "safe";
const otherHash = `0x${"9".repeat(64)}`;

const rows: readonly (readonly [string, Fault])[] = [
  ["one error for a list", lists(0, respond(200, error(-32_600, "invalid request")))],
  ["one error with the code of limits", lists(0, respond(200, error(-32_005, "batch limit exceeded")))],
  ["one error in a list", lists(0, respond(200, [error(-32_600, "invalid request")]))],
  [
    "an error for each call of a list",
    lists(0, ({ calls, send }) => send(calls.map(({ id }) => error(-32_601, "no batch requests", id)))),
  ],
  [
    "the first response in place of a list",
    lists(0, async ({ forward, res }) => res.end(JSON.stringify((await forward())[0]))),
  ],
  [
    "a list with the first response",
    lists(0, async ({ forward, send }) => send((await forward()).slice(0, 1))),
  ],
  ["HTTP 429 about batches", lists(0, respond(429, error(-32_005, "batch requests are not allowed")))],
  ...[400, 403, 404, 405, 413, 415, 422, 500, 501, 502, 503].map(
    (status) => [`HTTP ${status} for a list`, lists(0, respond(status, "no"))] as const,
  ),
  ["a page for a list", lists(0, respond(200, "<html><body>Not found</body></html>"))],
  ["an empty body for a list", lists(0, respond(200, ""))],
  ["a closed connection for a list", lists(0, ({ res }) => res.destroy())],
  ["lists of one call only", lists(1, respond(200, error(-32_600, "batch of 2 exceeds the limit of 1")))],
  ["lists of three calls", lists(3, respond(200, error(-32_000, "too many calls")))],
  [
    "ids as text",
    async ({ forward, send }) => send((await forward()).map((one) => ({ ...one, id: String(one.id) }))),
  ],
  [
    "single responses in a list, without ids",
    async ({ forward, isList, send, res }) => {
      const answers = await forward();
      if (isList) send(answers);
      else res.end(JSON.stringify(answers.map((one) => ({ ...one, id: null }))));
    },
  ],
  ["no logs by block hash", without(wantsBlockHash, -32_602, "invalid params")],
  ["an unknown field blockHash", without(wantsBlockHash, -32_000, "unknown field `blockHash`")],
  ["no tags", without(wantsTag, -32_603, "internal error")],
  ["logs twice", logs((all) => all.flatMap((log) => [log, log]))],
  ["logs in reverse", logs((all) => all.toReversed())],
  [
    "logs that were removed, beside those of the chain",
    logs((all) => all.flatMap((log) => [log, { ...log, removed: true }])),
  ],
  [
    "removed logs of replaced blocks",
    logs((all) => all.flatMap((log) => [{ ...log, blockHash: otherHash, removed: true }, log])),
  ],
  [
    "removed logs of other positions",
    logs((all) => all.flatMap((log) => [log, { ...log, logIndex: "0x99", removed: true }])),
  ],
  [
    "logs of no block yet",
    logs((all) =>
      all.flatMap((log) => [
        log,
        {
          ...log,
          blockHash: null,
          blockNumber: null,
          logIndex: null,
          transactionHash: null,
          transactionIndex: null,
        },
      ]),
    ),
  ],
];

describe.skipIf(noSandbox)("a follower with one node", () => {
  let followed: ForkingChain;
  let node: FaultyNode;

  beforeAll(async () => {
    if (noSandbox) return;
    followed = await startFollowedChain();
    node = await startFaultyNode(followed.chain.rpcUrl);
    return async () => {
      await node[Symbol.asyncDispose]();
      await followed[Symbol.asyncDispose]();
    };
  });

  test.each(rows)("that has %s", async (_, fault) => {
    node.fault = fault;
    await followed.grow(undefined, 6);
    const followers = followed.follow({ rpcUrls: [node.rpcUrl] });
    await followed.untilEqual();
    await followed.grow(undefined, 3);
    await followed.untilEqual();
    await followers[Symbol.asyncDispose]();
    const chain = await new Chains().of(localNetwork([node.rpcUrl]));
    const call = () =>
      Promise.all([1, 2, 3].map(() => chain.request("eth_getCode", [emitterAddress, "latest"])));
    // Some refusals look like those of a gateway whose node is down, so the first request may fail.
    await call().catch(() => {});
    expect(await call()).toHaveLength(3);
  });
});

describe.skipIf(noSandbox)("requests", () => {
  let chain: Awaited<ReturnType<typeof startEventChain>>;
  let node: FaultyNode;
  let asked: RpcCall[] = [];
  let sizes: number[] = [];

  beforeAll(async () => {
    if (noSandbox) return;
    chain = await startEventChain();
    await chain.mine(5);
    node = await startFaultyNode(chain.rpcUrl);
  });
  afterAll(async () => {
    await node?.[Symbol.asyncDispose]();
    await chain?.[Symbol.asyncDispose]();
  });

  /** Notes the calls of each HTTP request. */
  const noting =
    (fault: Fault): Fault =>
    (exchange) => {
      asked.push(...exchange.calls);
      sizes.push(exchange.isList ? exchange.calls.length : 0);
      return fault(exchange);
    };
  const honest: Fault = async ({ send, forward }) => send(await forward());
  const start = (fault: Fault): void => {
    asked = [];
    sizes = [];
    node.fault = noting(fault);
  };

  test("without batches are single from the second time on, and a good node gets one batch", async () => {
    const counted = async (fault: Fault): Promise<readonly number[]> => {
      const source = await openSource(localNetwork([node.rpcUrl]));
      start(fault);
      await source.headersByNumber([1, 2, 3]);
      const first = sizes.length;
      await source.headersByNumber([1, 2, 3]);
      return [first, sizes.length - first];
    };
    expect(await counted(honest)).toEqual([1, 1]);
    // Four calls with the check of the chain: one list, two halves, four single calls; then a second check.
    expect(await counted(lists(0, respond(200, error(-32_600, "invalid request"))))).toEqual([8, 3]);
  });

  test("for logs by block hash are sent once, and then those by number", async () => {
    const source = await openSource(localNetwork([node.rpcUrl], { follow: { checkBloom: false } }));
    start(without(wantsBlockHash, -32_602, "invalid params"));
    const header = await source.latest();
    for (let turn = 0; turn < 3; turn++) expect(await source.logsOfBlock(header)).toEqual([]);
    expect(asked.filter(wantsBlockHash)).toHaveLength(1);
  });
});
