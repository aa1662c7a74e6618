/** What callers of a host get while nodes of a chain are paused or lie. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FaultyNode, ofChain, startFaultyNode } from "../../../support/faulty-node.ts";
import { type RunningHost, startHost } from "../../../support/host.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";

const ether = 10n ** 18n;
const signer = privateKeyToAccount(`0x${"5a".repeat(32)}`);
const typedData = {
  types: { Greeting: [{ name: "text", type: "string" }] },
  primaryType: "Greeting",
  domain: { name: "Test" },
  message: { text: "hello" },
} as const;

/** Networks of the same chain, by what is wrong with their nodes. */
const chains = { honest: 31_337, paused: 31_401, halfway: 31_402, backedUp: 31_403, liar: 31_404 } as const;

describe.skipIf(noSandbox)("a host whose nodes", () => {
  const sandbox = useSandbox();
  const servers: Server[] = [];
  let host: RunningHost;
  let mirror: FaultyNode;

  async function startNode(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  beforeAll(async () => {
    if (noSandbox) return;
    const { rpcUrl, exchanges, tokens } = sandbox();
    const paused = await startNode(() => {});
    const halfway = await startNode((_, res) => {
      res.writeHead(200, { "content-type": "application/json" }).write('[{"jsonrpc":"2.0","id":1,"resu');
    });
    const liar = await startNode(lyingNode(rpcUrl));
    mirror = await startFaultyNode(rpcUrl);
    mirror.fault = ofChain(chains.backedUp);
    const nodes = {
      honest: [rpcUrl],
      paused: [paused],
      halfway: [halfway],
      backedUp: [paused, halfway, mirror.rpcUrl],
      liar: [liar],
    };
    const exchange = { kind: "v2", router: exchanges.v2Router };
    const details = { connectors: [exchanges.wrappedCoin, tokens.usd], exchanges: [exchange] };
    const networkDetails = Object.fromEntries(
      (Object.keys(chains) as (keyof typeof chains)[]).map((name) => [
        chains[name],
        { ...details, rpcUrls: nodes[name] },
      ]),
    );
    host = await startHost({
      args: ["--networks", Object.values(chains).join(","), "--check-responses"],
      env: { NETWORK_DETAILS: JSON.stringify(networkDetails) },
    });
  });
  afterAll(async () => {
    await host?.[Symbol.asyncDispose]();
    await mirror?.[Symbol.asyncDispose]();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function call(method: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const headers = { "content-type": "application/json", "x-access-key": host.accessKey };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    let response = await fetch(`${host.url}/rpc/API/${method}`, request);
    // On a busy machine the host may be over capacity for a moment, so callers retry.
    for (let turn = 0; response.status === 503 && turn < 5; turn++) {
      await new Promise((done) => setTimeout(done, 1_000));
      response = await fetch(`${host.url}/rpc/API/${method}`, request);
    }
    return (await response.json()) as Readonly<Record<string, unknown>>;
  }
  function price(chainId: number): Promise<object> {
    const { tokens } = sandbox();
    const request = {
      buyCurrencyAddress: tokens.dai,
      sellCurrencyAddress: tokens.usd,
      slippagePercentage: 1,
    };
    return call("GetSwapPrice", { ...request, chainId, buyAmount: String(ether) });
  }
  function quote(chainId: number): Promise<object> {
    const { tokens, accounts } = sandbox();
    return call("GetSwapQuote", {
      userAddress: accounts[7],
      buyCurrencyAddress: tokens.dai,
      sellCurrencyAddress: tokens.usd,
      buyAmount: String(ether),
      chainId,
      includeApprove: true,
    });
  }
  const verdict = async (chainId: number, walletAddress: string): Promise<object> => {
    const signature = await signer.signTypedData(typedData);
    return call("IsValidTypedDataSignature", {
      chainId: String(chainId),
      walletAddress,
      typedData,
      signature,
    });
  };
  // Not Aborted: the response comes before the handler's deadline.
  const noAnswer = expect.objectContaining({
    code: 1901,
    error: "Overloaded",
    status: 503,
    cause: expect.stringMatching(/^the nodes of \S+ do not respond$/),
  });

  test.each(["paused", "halfway"] as const)(
    "are %s reports that, and that no contract was called",
    async (name) => {
      const chainId = chains[name];
      expect(await Promise.all([price(chainId), quote(chainId), verdict(chainId, sandbox().safe)])).toEqual([
        noAnswer,
        noAnswer,
        noAnswer,
      ]);
      // A plain account's signature needs no chain.
      expect(await verdict(chainId, signer.address)).toEqual({ isValid: true });
    },
  );

  test.each(["backedUp", "liar"] as const)("are %s responds like one with an honest node", async (name) => {
    const { honest, [name]: chainId } = chains;
    expect(await price(chainId)).toEqual(await price(honest));
    expect(await verdict(chainId, sandbox().safe)).toEqual({ isValid: false });
    expect(await price(chainId)).toMatchObject({ swapPrice: { price: expect.stringMatching(/^[1-9]/) } });
    expect(await quote(chainId)).toMatchObject({ swapQuote: { to: sandbox().exchanges.v2Router } });
  });
});

/** Responds correctly except about blocks: every block has a random number, and none has a time. */
function lyingNode(rpcUrl: string): RequestListener {
  const lies = ["0x7fffffffffff", "0x0", "-0x1", "latest", null, "0xzz", {}];
  let turn = 0;
  return async (req, res) => {
    const headers = { "content-type": "application/json" };
    const calls = [JSON.parse(Buffer.concat(await req.toArray()).toString("utf8"))].flat();
    const answers = await Promise.all(
      calls.map(async (one: { readonly id: number; readonly method: string }) => {
        if (one.method.startsWith("eth_block") || one.method.startsWith("eth_getBlock"))
          return { jsonrpc: "2.0", id: one.id, result: lies[turn++ % lies.length] };
        if (one.method === "eth_chainId")
          return { jsonrpc: "2.0", id: one.id, result: `0x${chains.liar.toString(16)}` };
        const answer = await fetch(rpcUrl, { method: "POST", headers, body: JSON.stringify(one) });
        return (await answer.json()) as object;
      }),
    );
    res.writeHead(200, headers).end(JSON.stringify(answers));
  };
}
