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
