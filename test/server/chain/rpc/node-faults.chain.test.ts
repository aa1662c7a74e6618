/** Whatever is wrong with a node, the host's response is right, or reports that the chain is unavailable. */
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSource } from "../../../../server/chain/follower/viem/open-source.ts";
import { ChainFailure, type Hex } from "../../../../server/chain/rpc/chain.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { type EventChain, startEventChain } from "../../../support/event-chain.ts";
import { type FaultyNode, honest, ofChain, startFaultyNode } from "../../../support/faulty-node.ts";
import { type RunningHost, startHost } from "../../../support/host.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { nodeFaults } from "../../../support/node-faults.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";

const signer = privateKeyToAccount(`0x${"5a".repeat(32)}`);
const typedData = {
  types: { Greeting: [{ name: "text", type: "string" }] },
  primaryType: "Greeting",
  domain: { name: "Test" },
  message: { text: "hello" },
} as const;

const noLimits = ["--rate-limit-project", "1000000", "--rate-limit-address", "1000000"];

/** Networks with a node each, so that several faults can be tried at the same time: failed requests are repeated for a second. */
const lanes = [31_337, 31_338, 31_339, 31_340, 31_341] as const;

/** Chain ids: one whose only node is of another chain, and one whose first of two nodes is. */
const chains = { mistaken: 31_401, halfMistaken: 31_402 } as const;

interface Lane {
  readonly chainId: number;
  readonly node: FaultyNode;
}

/** Code that returns the word for a valid signature (ERC-1271). */
const yesCode = "0x631626ba7e60e01b60005260206000f3";
/** Code that reverts. */
const revertCode = "0x60006000fd";
const wallets = {
  here: `0x${"a1".repeat(20)}`,
  reverting: `0x${"a2".repeat(20)}`,
  onTheOtherChain: `0x${"a3".repeat(20)}`,
} as const satisfies Record<string, Hex>;

async function rpc(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const { result } = (await (await fetch(url, { method: "POST", headers, body })).json()) as {
    readonly result: unknown;
  };
  return result;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

describe.skipIf(noSandbox)("with one node that fails", () => {
  const sandbox = useSandbox();
  /** The lanes that no test uses. As many tests run at the same time as there are lanes: vitest's `maxConcurrency`. */
  const free: Lane[] = [];
  let mirror: FaultyNode;
  let other: EventChain;
  let host: RunningHost;
  let signature: Hex;
  const table: string[] = [];

  beforeAll(async () => {
    if (noSandbox) return;
    const { rpcUrl, exchanges, tokens } = sandbox();
    other = await startEventChain(1_000);
    await rpc(rpcUrl, "anvil_setCode", wallets.here, yesCode);
    await rpc(rpcUrl, "anvil_setCode", wallets.reverting, revertCode);
    await rpc(other.rpcUrl, "anvil_setCode", wallets.onTheOtherChain, yesCode);
    // All of that is in blocks that lagging nodes have too.
    await rpc(rpcUrl, "anvil_mine", "0xa");
    await rpc(other.rpcUrl, "anvil_mine", "0xa");
    for (const chainId of lanes) free.push({ chainId, node: await startFaultyNode(rpcUrl) });
    mirror = await startFaultyNode(rpcUrl);
    mirror.fault = ofChain(chains.halfMistaken);
    const details = {
      connectors: [exchanges.wrappedCoin, tokens.usd],
      exchanges: [{ kind: "v2", router: exchanges.v2Router }],
    };
    const networkDetails = {
      ...Object.fromEntries(
        free.map(({ chainId, node }) => [chainId, { ...details, rpcUrls: [node.rpcUrl] }]),
      ),
      [chains.mistaken]: { ...details, rpcUrls: [rpcUrl] },
      [chains.halfMistaken]: { ...details, rpcUrls: [other.rpcUrl, mirror.rpcUrl] },
    };
    host = await startHost({
      args: [
        "--networks",
        [...lanes, ...Object.values(chains), "polygon"].join(","),
        "--check-responses",
        ...noLimits,
      ],
      env: { NETWORK_DETAILS: JSON.stringify(networkDetails) },
    });
    signature = await signer.signTypedData(typedData);
  });
  afterAll(async () => {
    console.log(table.join("\n"));
    await host?.[Symbol.asyncDispose]();
    for (const { node } of free) await node[Symbol.asyncDispose]();
    await mirror?.[Symbol.asyncDispose]();
    await other?.[Symbol.asyncDispose]();
  });

  async function call(method: string, body: object): Promise<Answer> {
    const headers = { "content-type": "application/json", "x-access-key": host.accessKey };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${host.url}/rpc/API/${method}`, request);
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  }
  const verdict = (walletAddress: string, chainId: number): Promise<Answer> =>
    call("IsValidTypedDataSignature", { walletAddress, typedData, signature, chainId: String(chainId) });
  const swap = (method: "GetSwapPrice" | "GetSwapQuote", chainId: number): Promise<Answer> => {
    const { tokens, accounts } = sandbox();
    const ask = { buyCurrencyAddress: tokens.dai, sellCurrencyAddress: tokens.usd, slippagePercentage: 1 };
    const user = method === "GetSwapQuote" ? { userAddress: accounts[7], includeApprove: true } : {};
    return call(method, { ...ask, ...user, chainId, buyAmount: String(10n ** 18n) });
  };
  const askAll = async (chainId: number): Promise<Readonly<Record<string, Answer>>> => {
    const asked = {
      valid: verdict(wallets.here, chainId),
      reverting: verdict(wallets.reverting, chainId),
      elsewhere: verdict(wallets.onTheOtherChain, chainId),
      price: swap("GetSwapPrice", chainId),
      quote: swap("GetSwapQuote", chainId),
    };
    const answers = await Promise.all(Object.values(asked));
    return Object.fromEntries(Object.keys(asked).map((name, index) => [name, answers[index] as Answer]));
  };

  /** Classifies a response: right, or chain unavailable; anything else is returned as it is. */
  function judge(name: string, { status, body }: Answer, right: Readonly<Record<string, Answer>>): string {
    if (
      status === 200 &&
      JSON.stringify(withoutTime(body)) === JSON.stringify(withoutTime(right[name]?.body))
    )
      return "right";
    if (body["code"] === 1901 && status === 503) return "1901";
    return JSON.stringify({ status, body });
  }

  async function inLane<Result>(run: (lane: Lane) => Promise<Result>): Promise<Result> {
    const lane = free.shift();
    if (lane === undefined) throw new Error("More tests run at the same time than there are lanes.");
    try {
      return await run(lane);
    } finally {
      lane.node.fault = ofChain(lane.chainId);
      free.push(lane);
    }
  }

  test.concurrent.each(nodeFaults)("$name: each result is right, or error 1901", ({ name, make }) =>
    inLane(async ({ chainId, node }) => {
      node.fault = ofChain(chainId);
      const right = await askAll(chainId);
      expect(right).toMatchObject({
        valid: { status: 200, body: { isValid: true } },
        reverting: { status: 200, body: { isValid: false } },
        elsewhere: { status: 200, body: { isValid: false } },
        price: { status: 200 },
        quote: { status: 200 },
      });
      node.fault = ofChain(chainId, make({ otherChainUrl: other.rpcUrl }));
      // Twice: the second time the host knows that the node has failed.
      for (const answers of [await askAll(chainId), await askAll(chainId)]) {
        const verdicts = Object.entries(answers).map(
          ([ask, answer]) => `${ask} ${judge(ask, answer, right)}`,
        );
        table.push(`${name.padEnd(40)} ${verdicts.join(", ")}`);
        for (const line of verdicts) expect(line).toMatch(/ (right|1901)$/);
      }
    }),
  );

  test("a node of another chain is not used, and is reported to the operator", async () => {
    const absent = {
      status: 503,
      body: { code: 1901, cause: `the nodes of ${chains.mistaken} are nodes of another chain` },
    };
    const { mistaken, halfMistaken } = chains;
    expect(await verdict(wallets.here, mistaken)).toMatchObject(absent);
    expect(await swap("GetSwapPrice", mistaken)).toMatchObject(absent);
    expect(await swap("GetSwapQuote", mistaken)).toMatchObject(absent);
    // A plain account's signature needs no chain.
    expect(await verdict(signer.address, mistaken)).toMatchObject({ body: { isValid: true } });
    // The second node is used instead of the first, on whose chain such a wallet exists.
    expect(await verdict(wallets.onTheOtherChain, halfMistaken)).toMatchObject({ body: { isValid: false } });
    expect(await verdict(wallets.here, halfMistaken)).toMatchObject({ body: { isValid: true } });

    const readiness = async (): Promise<unknown> => (await fetch(`${host.adminUrl}/readyz`)).json();
    // The network with one good node and polygon, which has none configured, are not reported.
    const nodes = "31401: node 0: it is a node of chain 31337, not of 31401";
    // Polled, because a busy machine takes longer to check the nodes of the other tests again.
    await expect.poll(readiness).toMatchObject({ ready: false, checks: { nodes } });
    expect((await fetch(`${host.adminUrl}/readyz`)).status).toBe(503);
    const metrics = await (await fetch(`${host.adminUrl}/metrics`)).text();
    expect(metrics).toContain('platform_chain_node_of_another_chain{chain="31401",node="0"} 1');
    expect(metrics).toContain('platform_chain_node_of_another_chain{chain="31402",node="0"} 1');
    expect(metrics).not.toContain('platform_chain_node_of_another_chain{chain="31402",node="1"} 1');
    const lines = (): string[] =>
      host
        .err()
        .split("\n")
        .filter((line) => /"chain":"3140.*the node reports another chain id/.test(line));
    const reasonOf = (chainId: number, found: number): object =>
      expect.objectContaining({
        chain: String(chainId),
        node: 0,
        reason: expect.stringContaining(`of chain ${found}, not of ${chainId}`),
      });
    // Standard error is a pipe of its own, so it may arrive after the response.
    await expect.poll(lines).toHaveLength(2);
    const told = lines().map((line) => JSON.parse(line) as object);
    expect(told).toEqual(expect.arrayContaining([reasonOf(mistaken, 31_337), reasonOf(halfMistaken, 1_000)]));
  });

  test("concurrent requests share one check, and later ones need none", async () => {
    await using node = await startFaultyNode(sandbox().rpcUrl);
    const chain = await new Chains().of(localNetwork(node.rpcUrl));
    const before = { requests: node.requests(), checks: node.chainChecks() };
    const ask = (): Promise<unknown> => chain.call({ to: wallets.here, data: "0x" });
    await Promise.all([ask(), ask(), ask()]);
    for (let turn = 0; turn < 5; turn++) await ask();
    expect(node.chainChecks() - before.checks).toBe(1);
    // The check is sent in the same HTTP request.
    expect(node.requests() - before.requests).toBe(6);
    node.fault = ({ res }) => void res.destroy();
    await expect(ask()).rejects.toBeInstanceOf(ChainFailure);
    node.fault = honest;
    const failed = node.chainChecks();
    await ask();
    await ask();
    expect(node.chainChecks() - failed).toBe(1);
  });

  async function openReads({ rpcUrl }: FaultyNode): Promise<() => Promise<readonly unknown[]>> {
    const limits = { responseTimeoutMs: 5_000, maxResponseBytes: 2 ** 20, maxBatchCalls: 50 };
    const source = await openSource(localNetwork(rpcUrl, { follow: true }), { limits });
    return async () => {
      const outcomes = await Promise.allSettled([
        source.headersByNumber([1, 2, 3]),
        source.logsOfRange(0, 40, { addresses: new Set([sandbox().tokens.usd]) }),
      ]);
      return outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "failed"));
    };
  }

  test("a follower reads again when its node is back", async () => {
    await using node = await startFaultyNode(sandbox().rpcUrl);
    const read = await openReads(node);
    node.fault = ({ res }) => void res.destroy();
    expect(await read()).toEqual(["failed", "failed"]);
    node.fault = honest;
    expect(await read()).not.toContain("failed");
  });

  // Each has a node of its own: requests of the host would meet some of its faults.
  test.concurrent.each(nodeFaults)(
    "$name: a follower reads the chain as it is, or fails",
    async ({ make }) => {
      await using node = await startFaultyNode(sandbox().rpcUrl);
      const read = await openReads(node);
      const right = await read();
      expect(right).not.toContain("failed");
      node.fault = make({ otherChainUrl: other.rpcUrl });
      for (const answers of [await read(), await read()])
        for (const [index, answer] of answers.entries())
          if (answer !== "failed") expect(answer).toEqual(right[index]);
    },
  );
});

/** The deadline of a quote, and its encoding, change with the blocks. */
function withoutTime(body: Answer["body"] | undefined): unknown {
  const quote = body?.["swapQuote"];
  if (typeof quote !== "object" || quote === null) return body;
  const { transactionData: _, deadline: __, ...rest } = quote as Readonly<Record<string, unknown>>;
  return rest;
}
