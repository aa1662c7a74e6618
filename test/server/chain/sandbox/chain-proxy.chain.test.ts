import { createPublicClient, http, webSocket } from "viem";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Anvil, anvilPath, startAnvil } from "../../../../server/chain/sandbox/anvil.ts";
import { type ChainProxy, openChainProxy } from "../../../../server/chain/sandbox/chain-proxy.ts";
import { rawRequest } from "../../../support/raw-http.ts";
import { noSandbox } from "../../../support/sandbox.ts";

describe.skipIf(noSandbox)("the proxy of a local chain", () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  let chain: Anvil;
  let proxy: ChainProxy;
  let port: number;

  beforeEach(async () => {
    chain = await startAnvil(anvilPath() ?? "", 4_242);
    proxy = await openChainProxy(chain.rpcUrl);
    port = Number(new URL(proxy.rpcUrl).port);
  });

  afterEach(async () => {
    await proxy[Symbol.asyncDispose]();
    await chain[Symbol.asyncDispose]();
  });

  test("passes calls over HTTP and WebSocket, single and in batches", async () => {
    const byHttp = createPublicClient({ transport: http(proxy.rpcUrl, { batch: true }) });
    const [chainId, block] = await Promise.all([byHttp.getChainId(), byHttp.getBlock()]);
    expect([chainId, block.number]).toEqual([4_242, 0n]);
    const socket = webSocket(proxy.rpcUrl.replace("http", "ws"), { reconnect: false, keepAlive: false });
    const bySocket = createPublicClient({ transport: socket });
    expect(await bySocket.getChainId()).toBe(4_242);
    const heads: bigint[] = [];
    const stop = bySocket.watchBlockNumber({ onBlockNumber: (number) => heads.push(number) });
    await expect
      .poll(async () => {
        await bySocket.request({ method: "evm_mine" } as never);
        return heads.length;
      })
      .toBeGreaterThan(1);
    stop();
  });

  test("lets a page of this machine read, at any port", async () => {
    const headers = { Host: `localhost:${port}`, Origin: "http://localhost:5173" };
    const answer = await rawRequest(port, { path: "/", body, headers });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ result: "0x1092" });
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "http://localhost:5173",
      vary: "Origin",
    });
    const preflight = await rawRequest(port, {
      method: "OPTIONS",
      path: "/",
      headers: { ...headers, "Access-Control-Request-Method": "POST" },
    });
    expect(preflight).toMatchObject({ status: 204, headers: { "access-control-allow-methods": "POST" } });
  });

  test.each([
    ["a host name that was made to lead here", { Host: "evil.example" }],
    ["a page of elsewhere", { Host: "localhost", Origin: "https://evil.example" }],
    ["a sandboxed frame", { Host: "localhost", Origin: "null" }],
  ])("rejects %s, over HTTP and WebSocket", async (_, headers) => {
    const upgrade = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    const answers = [
      await rawRequest(port, { path: "/", body, headers }),
      await rawRequest(port, { method: "OPTIONS", path: "/", headers }),
      await rawRequest(port, { method: "GET", path: "/", headers: { ...upgrade, ...headers } }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 403, headers: { "content-type": "application/json" } });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      expect(JSON.parse(answer.body)).toMatchObject({ id: null, error: { code: -32_600 } });
    }
  });

  describe("bounds what a request costs", () => {
    const loop = { data: "0x5b600056" };
    const gas = (amount: number): string => `0x${amount.toString(16)}`;
    const send = async (message: unknown): Promise<unknown> => {
      const signal = AbortSignal.timeout(10_000);
      const response = await fetch(proxy.rpcUrl, { method: "POST", body: JSON.stringify(message), signal });
      return response.json();
    };
    const ask = (method: string, params: readonly unknown[] = []) =>
      send({ jsonrpc: "2.0", id: 7, method, params }) as Promise<{
        readonly result?: unknown;
        readonly error?: { readonly code: number; readonly message: string };
      }>;

    test.each<[string, readonly unknown[]]>([
      ["eth_call", [loop, "latest"]],
      ["eth_call", [{ ...loop, gas: gas(2 ** 52) }, "latest"]],
      ["eth_call", [{ ...loop, gas: 2 ** 52 }, "latest", {}]],
      ["eth_call", [{ ...loop, gas: "much" }, "latest"]],
      ["eth_call", [{ ...loop, gas: null }]],
      ["eth_call", [loop, "latest", {}, { gasLimit: gas(2 ** 52) }]],
      ["eth_estimateGas", [{ ...loop, gas: gas(2 ** 52) }]],
      ["eth_createAccessList", [{ ...loop, gas: gas(2 ** 52) }]],
      ["eth_simulateV1", [{ blockStateCalls: [{ calls: [{ input: loop.data, gas: gas(2 ** 52) }] }] }]],
      [
        "eth_sendTransaction",
        [{ ...loop, from: `0x${"f39fd6e51aad88f6f4ce6ab8827279cfffb92266"}`, gas: gas(2 ** 52) }],
      ],
      ["debug_traceCall", [loop, "latest", {}]],
      ["trace_call", [loop, ["trace"], "latest"]],
      ["evm_setBlockGasLimit", [gas(2 ** 52)]],
      ["anvil_reorg", [65, []]],
      ["anvil_setRpcUrl", ["http://10.0.0.1"]],
      ["anvil_reset", []],
      ["anvil_mine", [gas(1_001)]],
      ["evm_mine", [{ blocks: 1e12 }]],
      ["evm_mine", [{ timestamp: 4_000_000_000, blocks: "0xffffffff" }]],
    ])("%s %j is rejected, or ends soon, and the chain still mines", async (method, params) => {
      expect((await ask(method, params)).error?.message).toEqual(expect.any(String));
      expect(await ask("evm_mine")).toMatchObject({ result: "0x0" });
    });

    test("a call gets the gas that it names, up to 50 million", async () => {
      // GAS, PUSH0, MSTORE, MSIZE, PUSH0, RETURN: returns the remaining gas.
      const remaining = async (given?: number) => {
        const call = { data: "0x5a5f52595ff3", ...(given === undefined ? {} : { gas: gas(given) }) };
        return Number((await ask("eth_call", [call, "latest"])).result);
      };
      const [least, below, at, above, absent] = [
        await remaining(1_000_000),
        await remaining(49_999_999),
        await remaining(50_000_000),
        await remaining(50_000_001),
        await remaining(),
      ];
      expect([below - least, at - below, above - at, absent - at]).toEqual([48_999_999, 1, 0, 0]);
    });

    test.each([
      [99, 99],
      [100, 100],
      [101, undefined],
    ])("of a batch of %i requests", async (count, responses) => {
      const batch = Array.from({ length: count }, (_, id) => ({
        jsonrpc: "2.0",
        id,
        method: "eth_chainId",
        params: [],
      }));
      const answer = await send(batch);
      if (responses === undefined)
        expect(answer).toMatchObject({
          id: null,
          error: { message: "the batch has 101 requests, at most 100 are allowed" },
        });
      else expect(answer).toHaveLength(responses);
    });

    test("one bad request of a batch rejects the batch", async () => {
      const good = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
      const answer = await send([good, { ...good, id: 2, method: "debug_traceCall" }]);
      expect(answer).toMatchObject({ id: 2, error: { code: -32_600 } });
    });

    test.each([
      [1_048_575, 200],
      [1_048_576, 200],
      [1_048_577, 413],
    ])("a message of %i bytes is %i", async (bytes, status) => {
      const response = await fetch(proxy.rpcUrl, { method: "POST", body: body.padEnd(bytes) });
      expect(response.status).toBe(status);
    });

    test.each([999, 1_000])("%i blocks are mined at once", async (blocks) => {
      expect(await ask("anvil_mine", [gas(blocks)])).toMatchObject({ result: null });
      expect(await ask("eth_blockNumber")).toMatchObject({ result: gas(blocks) });
    });

    test("over WebSocket too", async () => {
      const socket = webSocket(proxy.rpcUrl.replace("http", "ws"), { reconnect: false, keepAlive: false });
      const client = createPublicClient({ transport: socket });
      await expect(client.request({ method: "debug_traceCall", params: [loop] } as never)).rejects.toThrow(
        /does not serve/,
      );
      await expect(client.call({ ...loop, gas: 2n ** 52n } as never)).rejects.toThrow(/OutOfGas/);
      expect(await client.getChainId()).toBe(4_242);
    });
  });

  test("lets no page read the chain's own responses", async () => {
    const answer = await rawRequest(Number(new URL(chain.rpcUrl).port), {
      path: "/",
      body,
      headers: { Host: "localhost", Origin: "https://evil.example" },
    });
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("responds 502 once the chain is gone", async () => {
    await chain[Symbol.asyncDispose]();
    const response = await fetch(proxy.rpcUrl, { method: "POST", body });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { message: "the local chain does not respond" } });
  });

  test("closes although a WebSocket is open", async () => {
    const socket = webSocket(proxy.rpcUrl.replace("http", "ws"), { reconnect: false, keepAlive: false });
    expect(await createPublicClient({ transport: socket }).getChainId()).toBe(4_242);
    await proxy[Symbol.asyncDispose]();
    await expect(fetch(proxy.rpcUrl)).rejects.toThrow();
  });
});
