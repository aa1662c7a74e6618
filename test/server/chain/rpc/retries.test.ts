/** Calls while nodes fail now and then, on real sockets. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { CallReverted, ChainFailure, type Hex } from "../../../../server/chain/rpc/chain.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { MeteredNodes, noNodeEvents } from "../../../../server/chain/rpc/nodes/metered-nodes.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { seededRandom } from "../../../support/random.ts";

interface Call {
  readonly id: number;
  readonly method: string;
}

type Reply = (calls: readonly Call[], res: ServerResponse) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface ScriptedNode {
  readonly url: string;
  /** Methods of all calls so far, without chain checks. */
  readonly methods: string[];
}

async function startNode(reply: Reply): Promise<ScriptedNode> {
  const methods: string[] = [];
  const server = createServer(async (req, res) => {
    const calls = [JSON.parse(Buffer.concat(await req.toArray()).toString()) as Call | Call[]].flat();
    methods.push(...calls.map(({ method }) => method).filter((method) => method !== "eth_chainId"));
    reply(calls, res);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, methods };
}

const answer =
  (make: (call: Call) => object): Reply =>
  (calls, res) => {
    res.setHeader("content-type", "application/json");
    res.end(
      JSON.stringify(
        calls.map((call) => ({
          jsonrpc: "2.0",
          id: call.id,
          ...(call.method === "eth_chainId" ? { result: "0x7a69" } : make(call)),
        })),
      ),
    );
  };
const good = answer(() => ({ result: "0x2a" }));
const error = (code: number, message: string, data?: unknown): Reply =>
  answer(() => ({ error: { code, message, data } }));
const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (_, res) =>
    void res.writeHead(code, headers).end("{}");

/** Fails half of the requests, in an order that depends on the seed only, as far away as nodes are: after 50 ms. */
function halfOf(bad: Reply, seed: number): Reply {
  const random = seededRandom(seed);
  return (calls, res) => void setTimeout(random.chance(50) ? bad : good, 50, calls, res);
}

const to: Hex = `0x${"11".repeat(20)}`;

async function callOf(
  urls: readonly string[],
  meteredNodes = new MeteredNodes(),
): Promise<() => Promise<Hex>> {
  const chain = await new Chains({ meteredNodes }).of(localNetwork(urls));
  return () => chain.call({ to, data: "0x" });
}

const faults: readonly (readonly [string, Reply])[] = [
  ["HTTP 429", status(429)],
  ["a limit", error(-32_005, "limit exceeded")],
  ["HTTP 500", status(500)],
  ["HTTP 503", status(503)],
  ["a closed connection", (_, res) => void res.destroy()],
  ["truncated JSON", (_, res) => void res.end('[{"jsonrpc":')],
];

describe("while half of a node's responses are failures", () => {
  const calls = 400;
  // As many callers as a busy host has; calls made at the same time share a request, and its failure.
  const callers = 20;

  test.each(faults.flatMap(([name, bad]) => [1, 2].map((nodes) => ({ name, bad, nodes }))))(
    "$name: with $nodes nodes, calls succeed",
    async ({ name, bad, nodes }) => {
      const started = await Promise.all(
        Array.from({ length: nodes }, (_, index) => startNode(halfOf(bad, 7 + index))),
      );
      const call = await callOf(started.map(({ url }) => url));
      let left = calls;
      let succeeded = 0;
      const caller = async (): Promise<void> => {
        while (left-- > 0) {
          const isOk = await call().then(
            (result) => result === "0x2a",
            () => false,
          );
          if (isOk) succeeded++;
        }
      };
      await Promise.all(Array.from({ length: callers }, caller));
      console.log(`${name}, ${nodes} nodes: ${succeeded} of ${calls}`);
      expect(succeeded / calls).toBeGreaterThanOrEqual(nodes === 1 ? 0.95 : 0.99);
    },
    60_000,
  );
});

test.each<[attempts: number, string, Reply]>([
  [7, "HTTP 429", status(429)],
  [7, "HTTP 500", status(500)],
  [7, "a fault of the node", error(-32_603, "internal error")],
  [1, "invalid parameters", error(-32_602, "invalid argument 0")],
  [1, "an error of the request", error(-32_701, "please specify an address")],
  [1, "an unknown method", error(-32_601, "the method does not exist")],
])("each node is asked %i times after %s", async (attempts, _, bad) => {
  const nodes = [await startNode(bad), await startNode(bad)];
  const call = await callOf(nodes.map(({ url }) => url));
  await expect(call()).rejects.toBeInstanceOf(ChainFailure);
  for (const { methods } of nodes) expect(methods).toHaveLength(attempts);
});

test("a revert is not repeated", async () => {
  const node = await startNode(error(3, "execution reverted", "0x"));
  const call = await callOf([node.url]);
  await expect(call()).rejects.toBeInstanceOf(CallReverted);
  expect(node.methods).toHaveLength(1);
});

test.each<[string, Reply]>([
  ["in a header", status(429, { "retry-after": "1" })],
  ["in the data of an error", error(-32_005, "limit exceeded", { rate: { backoff_seconds: 1 } })],
])("no request is sent before the time that a node asks for %s", async (_, refusal) => {
  const times: number[] = [];
  const node = await startNode((calls, res) => {
    times.push(performance.now());
    (times.length === 1 ? refusal : good)(calls, res);
  });
  const call = await callOf([node.url]);
  expect(await Promise.all([call(), call()])).toEqual(["0x2a", "0x2a"]);
  const [first = 0, second = 0] = times;
  // Timers may be early by a millisecond.
  expect(second - first).toBeGreaterThanOrEqual(998);
});

test("while a node refuses requests, the other one is used without waiting", async () => {
  const nodes = [await startNode(status(429, { "retry-after": "3600" })), await startNode(good)];
  const call = await callOf(nodes.map(({ url }) => url));
  for (let turn = 0; turn < 5; turn++) expect(await call()).toBe("0x2a");
  expect(nodes[0]?.methods).toHaveLength(1);
});

test("a node that is down is soon asked once for each call", async () => {
  const node = await startNode(status(500));
  const call = await callOf([node.url]);
  const requestsOfCall = async (): Promise<number> => {
    const before = node.methods.length;
    await call().catch(() => {});
    return node.methods.length - before;
  };
  await vi.waitFor(async () => expect(await requestsOfCall()).toBe(1), { timeout: 4_000 });
});

test("a failed response to a batch of calls is one failure of its node", async () => {
  const inTurn = (...replies: readonly [Reply, ...Reply[]]): Reply => {
    let index = 0;
    const last = replies.length - 1;
    return (calls, res) => {
      const isCheck = calls.every(({ method }) => method === "eth_chainId");
      const reply = isCheck ? good : (replies[Math.min(index++, last)] as Reply);
      reply(calls, res);
    };
  };
  const first = await startNode(inTurn(status(500), status(500), good));
  const second = await startNode(inTurn(good, status(500)));
  const call = await callOf([first.url, second.url]);
  await Promise.all(Array.from({ length: 20 }, call));
  // Long enough for a node with ten failures to be down.
  await new Promise((done) => setTimeout(done, 1_100));
  expect(await call()).toBe("0x2a");
});

test("requests are counted by method and node, with their weights", async () => {
  const requests: unknown[] = [];
  const refusals: unknown[] = [];
  const meteredNodes = new MeteredNodes({
    ...noNodeEvents,
    requested: (...request) => void requests.push(request),
    refused: (...refusal) => void refusals.push(refusal),
  });
  const [first, second] = [await startNode(status(429)), await startNode(good)];
  const rpcUrls = [{ url: first.url, weights: { eth_call: 26 } }, second.url];
  const network = localNetwork([], { rpcUrls });
  const chain = await new Chains({ meteredNodes }).of(network);
  expect(await chain.call({ to, data: "0x" })).toBe("0x2a");
  expect(requests).toEqual([
    ["local-chain", 0, "eth_call", 26],
    ["local-chain", 0, "eth_chainId", 1],
    ["local-chain", 1, "eth_call", 1],
    ["local-chain", 1, "eth_chainId", 1],
  ]);
  expect(refusals).toEqual([
    ["local-chain", 0],
    ["local-chain", 0],
  ]);
});

describe("the check of a node's chain", () => {
  interface Counted {
    readonly meteredNodes: MeteredNodes;
    /** Methods of the requests that were counted. */
    readonly sent: string[];
    refusals: number;
  }

  function counted(): Counted {
    const sent: string[] = [];
    const meteredNodes = new MeteredNodes({
      ...noNodeEvents,
      requested: (_network, _node, method) => void sent.push(method),
      refused: () => void counts.refusals++,
    });
    const counts = { meteredNodes, sent, refusals: 0 };
    return counts;
  }

  async function chainAt(url: string, { meteredNodes }: Counted, maxPerSecond?: number) {
    const rpcUrls = [maxPerSecond === undefined ? { url } : { url, maxPerSecond }];
    return await new Chains({ meteredNodes }).of(localNetwork([], { rpcUrls }));
  }

  const times = (counts: Counted, method: string): number =>
    counts.sent.filter((sent) => sent === method).length;

  test("does not wait behind the calls that wait for a node's limit", async () => {
    const counts = counted();
    const chain = await chainAt((await startNode(good)).url, counts, 10);
    const results = await Promise.all(Array.from({ length: 20 }, () => chain.call({ to, data: "0x" })));
    expect(new Set(results)).toEqual(new Set(["0x2a"]));
    expect(times(counts, "eth_chainId")).toBeLessThanOrEqual(2);
  });

  test("is not sent for calls whose caller has gone, and they do not use the node's limit", async () => {
    const counts = counted();
    const chain = await chainAt((await startNode(good)).url, counts, 2);
    const caller = new AbortController();
    const calls = Array.from({ length: 20 }, () =>
      chain.call({ to, data: "0x", signal: caller.signal }).catch(() => {}),
    );
    caller.abort();
    await Promise.all(calls);
    const before = times(counts, "eth_call");
    expect(await chain.call({ to, data: "0x" })).toBe("0x2a");
    expect(times(counts, "eth_call")).toBe(before + 1);
  });

  test("counts as one refusal if the node refuses it alone", async () => {
    let isRefused = false;
    const { url } = await startNode((calls, res) => {
      res.setHeader("content-type", "application/json");
      const replies = calls.map(({ id, method }) => {
        if (method !== "eth_chainId") return { jsonrpc: "2.0", id, result: "0x2a" };
        if (isRefused) return { jsonrpc: "2.0", id, result: "0x7a69" };
        isRefused = true;
        return { jsonrpc: "2.0", id, error: { code: -32_005, message: "limit exceeded" } };
      });
      res.end(JSON.stringify(replies));
    });
    const counts = counted();
    const chain = await chainAt(url, counts);
    const results = await Promise.all(Array.from({ length: 10 }, () => chain.call({ to, data: "0x" })));
    expect(new Set(results)).toEqual(new Set(["0x2a"]));
    expect(counts.refusals).toBe(1);
  });

  test("is sent apart if the node rejects a call and with it the batch, and again after the calls", async () => {
    const node = await startNode((calls, res) => {
      if (calls.every(({ method }) => method === "eth_chainId")) return good(calls, res);
      const body = { jsonrpc: "2.0", id: null, error: { code: -32_602, message: "invalid argument 0" } };
      res.writeHead(400).end(JSON.stringify(body));
    });
    const counts = counted();
    const chain = await chainAt(node.url, counts);
    await expect(chain.call({ to, data: "0x" })).rejects.toBeInstanceOf(ChainFailure);
    expect(counts.sent).toEqual(["eth_call", "eth_chainId", "eth_chainId"]);
  });
});

test("the reason of a refusal is the provider's, without the key that it quotes", async () => {
  const meteredNodes = new MeteredNodes();
  const key = "a1B2c3D4e5F6a1B2";
  const { url } = await startNode((_, res) => {
    res
      .writeHead(429)
      .end(JSON.stringify({ error: { message: `daily request count exceeded for key ${key}` } }));
  });
  const network = localNetwork([], { rpcUrls: [`${url}/v2/${key}`, (await startNode(good)).url] });
  const [node] = meteredNodes.of(network);
  if (node === undefined) throw new Error("the network has nodes");
  const reasons: string[] = [];
  const { take } = node;
  vi.spyOn(node, "take").mockImplementation(async (...request) => {
    const noteRefusal = await take(...request);
    return (refusal, reason) => {
      reasons.push(reason);
      noteRefusal(refusal, reason);
    };
  });
  const chain = await new Chains({ meteredNodes }).of(network);
  expect(await chain.call({ to, data: "0x" })).toBe("0x2a");
  expect(reasons[0]).toMatch(/HTTP 429.*daily request count exceeded for key \[redacted\]/);
  expect(reasons.join()).not.toContain(key);
});
