import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { BlockCache } from "../../../../server/chain/rpc/block-cache.ts";
import {
  CallReverted,
  ChainBusy,
  ChainFailure,
  type Hex,
  NoNodes,
} from "../../../../server/chain/rpc/chain.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { type CallLimits, nodeLimits } from "../../../../server/chain/rpc/node-limits.ts";
import { MeteredNodes } from "../../../../server/chain/rpc/nodes/metered-nodes.ts";
import { localNetwork } from "../../../support/local-network.ts";

interface Call {
  readonly id: number;
  readonly method: string;
}

interface FakeNode {
  readonly url: string;
  readonly requests: () => number;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Reply = (calls: readonly Call[], res: ServerResponse) => void;

/** A node on a real socket whose responses a test defines. */
async function startNode(reply: Reply): Promise<FakeNode> {
  let requests = 0;
  const server = createServer(async (req: IncomingMessage, res) => {
    requests++;
    let body = "";
    for await (const chunk of req) body += chunk;
    const parsed = JSON.parse(body) as Call | Call[];
    reply([parsed].flat(), res);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
}

const results =
  (result: (call: Call) => object): Reply =>
  (calls, res) => {
    res.setHeader("content-type", "application/json");
    const answers = calls.map((call) => ({
      jsonrpc: "2.0",
      id: call.id,
      ...(call.method === "eth_chainId" ? { result: "0x7a69" } : result(call)),
    }));
    res.end(JSON.stringify(answers));
  };
const good = results(() => ({ result: "0x2a" }));
const limits: CallLimits = { ...nodeLimits.calls, nodeTimeoutMs: 1_000, requestTimeoutMs: 6_000 };
const to: Hex = `0x${"11".repeat(20)}`;

async function callOf(urls: readonly string[]): Promise<() => Promise<Hex>> {
  const chain = await new Chains({ limits }).of(localNetwork(urls));
  return () => chain.call({ to, data: "0x" });
}

test("a node that one part of the host finds to be of another chain is checked by the others", async () => {
  let isOther = false;
  const { url } = await startNode((calls, res) =>
    isOther
      ? res.end(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x1" }))))
      : good(calls, res),
  );
  const meteredNodes = new MeteredNodes();
  const networks = [localNetwork([url])];
  const wrongOf = async (chains: Chains): Promise<number> =>
    (await chains.wrongNetworks(networks, 300_000)).length;
  const chains = new Chains({ limits, meteredNodes });
  expect(await wrongOf(chains)).toBe(0);
  isOther = true;
  expect(await wrongOf(new Chains({ limits, meteredNodes }))).toBe(1);
  expect(await wrongOf(chains)).toBe(1);
  isOther = false;
  expect(await wrongOf(chains)).toBe(0);
});

describe("if a node fails, the next one is used", () => {
  test.each<[string, Reply]>([
    ["it answers HTTP 500", (_, res) => void res.writeHead(500).end("no")],
    ["it answers no JSON", (_, res) => void res.end("<html>")],
    ["it hangs up", (_, res) => void res.destroy()],
    ["it never answers", () => {}],
    [
      "its body never ends",
      (_, res) => {
        res.writeHead(200, { "content-type": "application/json" }).write("[");
      },
    ],
    ["it sends elsewhere", (_, res) => void res.writeHead(307, { location: "/elsewhere" }).end()],
    ["it has its limit", results(() => ({ error: { code: -32_005, message: "too many requests" } }))],
    ["it has a fault of its own", results(() => ({ error: { code: -32_603, message: "internal error" } }))],
  ])("%s", async (_, reply) => {
    const bad = await startNode(reply);
    const second = await startNode(good);
    const call = await callOf([bad.url, second.url]);
    expect(await call()).toBe("0x2a");
    const asked = bad.requests();
    expect(asked).toBeGreaterThan(0);
    // The node is demoted, so the next request goes to the other one first.
    expect(await call()).toBe("0x2a");
    expect(bad.requests()).toBe(asked);
    const alone = await callOf([bad.url]);
    await expect(alone()).rejects.toBeInstanceOf(ChainFailure);
  });
});

test("a node that responds again is used before nodes that failed", async () => {
  let reply: Reply = (_, res) => void res.destroy();
  const bad = await startNode(reply);
  const second = await startNode((calls, res) => reply(calls, res));
  const call = await callOf([bad.url, second.url]);
  await expect(call()).rejects.toBeInstanceOf(ChainFailure);
  reply = good;
  expect(await call()).toBe("0x2a");
  const asked = bad.requests();
  expect(await call()).toBe("0x2a");
  expect(bad.requests()).toBe(asked);
});

test("without nodes, the error names the network and no URL", async () => {
  await expect(new Chains().of(localNetwork([]))).rejects.toBeInstanceOf(NoNodes);
  await expect(new Chains().of(localNetwork([]))).rejects.toThrow(/^no node of \S+ is configured here/);
  const bad = await startNode((_, res) => void res.destroy());
  const call = await callOf([bad.url]);
  await expect(call()).rejects.toThrow(/^the nodes of \S+ do not respond$/);
});

describe("nodes at their limit are reported as such", () => {
  const refuse =
    (headers = {}): Reply =>
    (_, res) =>
      void res.writeHead(429, headers).end("too many requests");
  const limitError = results(() => ({ error: { code: -32_005, message: "daily request count exceeded" } }));
  const down: Reply = (_, res) => void res.destroy();
  const message = /^the nodes of \S+ have reached their limit of requests; try again later$/;

  test.each<[string, readonly Reply[]]>([
    ["HTTP 429", [refuse()]],
    ["HTTP 429 with Retry-After", [refuse({ "retry-after": "30" })]],
    ["an error of a provider", [limitError]],
    ["one that refuses and one that is down", [refuse({ "retry-after": "30" }), down]],
  ])(
    "%s",
    async (_, replies) => {
      const nodes = await Promise.all(replies.map(startNode));
      const call = await callOf(nodes.map(({ url }) => url));
      await expect(call()).rejects.toThrow(message);
      // If the node asked for a pause, this call waits until its timeout, and sends nothing.
      await expect(call()).rejects.toThrow(message);
    },
    30_000,
  );

  test("also if the timer of the deadline runs before the clock shows its time", async () => {
    const node = await startNode(refuse({ "retry-after": "30" }));
    const call = await callOf([node.url]);
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(now);
    try {
      await expect(call()).rejects.toThrow(message);
    } finally {
      clock.mockRestore();
    }
  }, 30_000);
});

test.each([
  ["a revert with its reason", { code: 3, message: "execution reverted", data: "0x1234" }, "0x1234"],
  ["a revert without one", { code: -32_000, message: "execution reverted" }, "0x"],
  ["out of gas", { code: -32_000, message: "out of gas" }, "0x"],
  // Messages of geth and its derivatives, which describe reverts in English where other nodes use code 3.
  ["a bad jump", { code: -32_000, message: "invalid jump destination" }, "0x"],
  ["too deep a stack", { code: -32_000, message: "stack limit reached 1024 (1023)" }, "0x"],
  ["an empty stack", { code: -32_000, message: "stack underflow (0 <=> 1)" }, "0x"],
  ["a gas price past counting", { code: -32_000, message: "gas uint64 overflow" }, "0x"],
  ["a write where none may be", { code: -32_000, message: "write protection" }, "0x"],
  ["a read past the answer", { code: -32_000, message: "return data out of bounds" }, "0x"],
  ["code that is too long", { code: -32_000, message: "max code size exceeded" }, "0x"],
  ["code of a reserved form", { code: -32_000, message: "invalid code: must not begin with 0xef" }, "0x"],
  ["an address that is taken", { code: -32_000, message: "contract address collision" }, "0x"],
  ["calls too deep", { code: -32_000, message: "max call depth exceeded" }, "0x"],
  // Nethermind and OpenEthereum.
  [
    "a revert with a code of its own",
    { code: -32_015, message: "VM execution error.", data: "Reverted 0x1234" },
    "0x1234",
  ],
  ["a bad instruction", { code: -32_015, message: "VM execution error.", data: "Bad instruction fe" }, "0x"],
  // Besu.
  ["a halt with its reason", { code: -32_000, message: "Invalid opcode: 0xfe" }, "0x"],
])("%s is the contract's error, and no other node is called", async (_, error, data) => {
  const first = await startNode(results(() => ({ error })));
  const second = await startNode(good);
  const call = await callOf([first.url, second.url]);
  const err = await call().catch((one: unknown) => one);
  expect(err).toBeInstanceOf(CallReverted);
  expect((err as CallReverted).data).toBe(data);
  expect(second.requests()).toBe(0);
});

test("a response of megabytes is not read to its end, and counts as the node's failure", async () => {
  let sent = 0;
  const flood = await startNode((_, res) => {
    res.writeHead(200, { "content-type": "application/json" });
    const more = (): void => {
      while (!res.destroyed && sent < 2 ** 28) {
        sent += 65_536;
        if (!res.write("0".repeat(65_536))) {
          res.once("drain", more);
          return;
        }
      }
    };
    more();
  });
  const call = await callOf([flood.url]);
  await expect(call()).rejects.toBeInstanceOf(ChainFailure);
  // Twice: in a batch, and alone. What remains in the socket buffers is not read.
  expect(sent).toBeLessThan(20 * limits.maxResponseBytes);
});

test("an endless body is abandoned in time, even if garbage is collected meanwhile", async () => {
  const endless = await startNode((_, res) => {
    res.writeHead(200, { "content-type": "application/json" }).write("[");
  });
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const collecting = setInterval(collect, 50);
  const call = await callOf([endless.url]);
  await expect(call()).rejects.toBeInstanceOf(ChainFailure);
  clearInterval(collecting);
});

test("concurrent calls share one HTTP request, within the limit of concurrent requests", async () => {
  let open = 0;
  let most = 0;
  const node = await startNode((calls, res) => {
    open++;
    most = Math.max(most, open);
    // The node responds only after three requests have arrived, so the test does not depend on speed.
    const answer = (): void => {
      if (most < 3) return void setTimeout(answer, 20);
      open--;
      good(calls, res);
    };
    setTimeout(answer, 20);
  });
  const few = {
    ...limits,
    requestTimeoutMs: 8_000,
    nodeTimeoutMs: 5_000,
    maxBatchCalls: 10,
    maxConcurrentRequests: 3,
  };
  const chain = await new Chains({ limits: few }).of(localNetwork(node.url));
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      chain.call({ to, data: `0x${index.toString(16).padStart(2, "0")}` }),
    ),
  );
  expect(new Set(answers)).toEqual(new Set(["0x2a"]));
  expect(node.requests()).toBe(10);
  expect(most).toBe(3);
});

test("requests beyond the nodes' capacity are rejected immediately, without demoting a node", async () => {
  const held: (() => void)[] = [];
  let isHeld = false;
  const node = await startNode((calls, res) => {
    if (isHeld) held.push(() => good(calls, res));
    else good(calls, res);
  });
  const narrow = {
    ...limits,
    nodeTimeoutMs: 5_000,
    maxBatchCalls: 1,
    maxConcurrentRequests: 2,
    maxBurstMs: 10,
  };
  const chain = await new Chains({ limits: narrow }).of(localNetwork(node.url));
  const ask = (): Promise<Hex> => chain.call({ to, data: "0x" });
  // From here on the chain check is valid.
  await ask();
  isHeld = true;
  const before = node.requests();
  const taken: Promise<Hex>[] = [];
  let refusal: unknown;
  while (refusal === undefined && taken.length < 1_000) {
    const question = ask();
    question.catch((err: unknown) => {
      refusal = err;
    });
    taken.push(question);
    await new Promise((done) => setTimeout(done, 1));
  }
  expect(refusal).toBeInstanceOf(ChainBusy);
  // Two requests are at the node, and at least one waits before any is rejected.
  expect(taken.length).toBeGreaterThan(3);
  taken.pop();
  isHeld = false;
  for (const answer of held.splice(0)) answer();
  expect(new Set(await Promise.all(taken))).toEqual(new Set(["0x2a"]));
  expect(await ask()).toBe("0x2a");
  expect(node.requests() - before).toBe(taken.length + 1);
});

test("an aborted request ends immediately", async () => {
  const node = await startNode(() => {});
  const chain = await new Chains({ limits }).of(localNetwork(node.url));
  const caller = new AbortController();
  const question = chain.call({ to, data: "0x", signal: caller.signal });
  caller.abort();
  await expect(question).rejects.toBeInstanceOf(ChainFailure);
});

describe("shared results", () => {
  let block = 1;
  let calls = 0;
  const code: Hex = "0x60";

  /** Responds to each request with the number of requests so far; to `eth_call` after a delay. */
  async function startCounting(
    more: Partial<typeof limits> = {},
  ): Promise<(signal?: AbortSignal) => Promise<Hex>> {
    block = 1;
    calls = 0;
    const node = await startNode((asked, res) => {
      const isCall = asked.some(({ method }) => method === "eth_call");
      const answer = results(({ method }) => ({
        result:
          method === "eth_call" ? `0x${(++calls).toString(16).padStart(2, "0")}` : `0x${block.toString(16)}`,
      }));
      setTimeout(() => answer(asked, res), isCall ? 40 : 0);
    });
    const chain = await new Chains({ limits: { ...limits, ...more } }).of(localNetwork(node.url));
    return (signal) => chain.callCode({ code, data: "0x01", isShared: true, signal });
  }

  test("are computed once per block for all callers", async () => {
    const ask = await startCounting();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(["0x01", "0x01", "0x01"]);
    expect(await ask()).toBe("0x01");
    block = 2;
    expect(await ask()).toBe("0x02");
  });

  test("expire even if a node reports no new block", async () => {
    const ask = await startCounting({ maxSharedAgeMs: 1 });
    expect(await ask()).toBe("0x01");
    await new Promise((done) => setTimeout(done, 20));
    expect(await ask()).toBe("0x02");
  });

  test("are returned to other callers when the first one aborts", async () => {
    const ask = await startCounting();
    const first = new AbortController();
    const questions = [ask(first.signal), ask()];
    setTimeout(() => first.abort(), 20);
    const [gone, other] = await Promise.allSettled(questions);
    expect(gone).toMatchObject({ status: "rejected", reason: expect.any(ChainFailure) });
    expect(other).toMatchObject({ value: "0x01" });
    expect(calls).toBe(1);
  });

  test("are not cached after a failure, and the oldest one is evicted", async () => {
    let isDown = true;
    const cache = new BlockCache({ maxAgeMs: 10_000, maxEntries: 2 });
    const at = (question: string): Promise<Hex> =>
      cache.get("1", question, () => {
        calls++;
        return isDown ? Promise.reject(new ChainFailure("down")) : Promise.resolve("0x01");
      });
    calls = 0;
    await expect(at("a")).rejects.toThrow("down");
    isDown = false;
    for (const question of ["a", "b", "a", "b", "c", "b", "a"]) expect(await at(question)).toBe("0x01");
    expect(calls).toBe(5);
  });
});
