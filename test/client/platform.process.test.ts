import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  connect,
  match,
  type Platform,
  type PlatformSettings,
  RpcError,
  result,
} from "../../client/index.ts";
import { type RunningHost, startHost } from "../support/host.ts";

describe("the platform as one object", () => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await startHost({ args: ["--networks", "polygon"] });
  });
  afterAll(async () => {
    await host?.[Symbol.asyncDispose]();
  });

  test("calls all five services with the keys that each needs", async () => {
    const { url, accessKey, secretKey, projectId } = host;
    const platform = connect({ url, accessKey, secretKey });
    const { marketplace, indexer } = platform.on("polygon");
    for (const service of [platform.api, platform.builder, platform.metadata, marketplace, indexer])
      expect(await service.ping()).toEqual({ status: true });
    expect(
      (await platform.builder.listContractSources({ projectId: Number(projectId) })).contractSources,
    ).toEqual([]);
    // The keys were accepted; a node of the network is missing.
    await expect(indexer.getAllWebhookListeners({})).rejects.toMatchObject({ name: "Unavailable" });
    expect((await marketplace.getOrders({ input: [] })).orders).toEqual([]);
  });

  test("a network may be given by number, and calls to an unserved one fail", async () => {
    const { url, accessKey } = host;
    const platform = connect({ url: `${url}/`, accessKey });
    expect(platform.on(137)).toBe(platform.on("137"));
    expect(await platform.on(137).marketplace.ping()).toEqual({ status: true });
    const failure = await platform
      .on("nowhere")
      .marketplace.ping()
      .catch((err: unknown) => err);
    expect(failure).toBeInstanceOf(RpcError);
    expect(failure).toMatchObject({ name: "WebrpcBadRoute" });
  });

  test.each<
    readonly [what: string, path: string, headers: Record<string, string>, body: string, advice: string]
  >([
    [
      "no key",
      "/rpc/Builder/GetAudience",
      { "x-access-key": "" },
      "{}",
      "the header X-Access-Key with the project's access key is missing",
    ],
    [
      "a wrong key",
      "/rpc/Builder/GetAudience",
      { "x-access-key": "abc" },
      "{}",
      "unknown access key: it is mistyped, or belongs to another host",
    ],
    [
      "no secret key",
      "/polygon/rpc/Indexer/GetAllWebhookListeners",
      {},
      "{}",
      "this method also needs a secret key: Authorization: BEARER <secret key>",
    ],
    [
      "a wrong network",
      "/polgon/rpc/Marketplace/GetOrders",
      {},
      "{}",
      'this host does not serve "polgon": did you mean "polygon"?',
    ],
    [
      "a network that is not served",
      "/base/rpc/Marketplace/GetOrders",
      {},
      "{}",
      'this host does not serve "base"; it serves polygon (137)',
    ],
    [
      "a network where none belongs",
      "/polygon/rpc/API/Ping",
      {},
      "{}",
      "this service has no path for networks: use /rpc/API/Ping",
    ],
    ["a misspelled method", "/rpc/API/GetSwapPrise", {}, "{}", "did you mean /rpc/API/GetSwapPrice?"],
    [
      "a misspelled method of a network",
      "/137/rpc/Marketplace/GetOrder",
      {},
      "{}",
      "did you mean /137/rpc/Marketplace/GetOrders?",
    ],
    [
      "another address",
      "/graphql",
      {},
      "{}",
      "paths are /rpc/<Service>/<Method>; Marketplace and Indexer also accept /<network> in front",
    ],
    [
      "a body as text",
      "/rpc/API/Ping",
      { "content-type": "text/plain" },
      "{}",
      "Content-Type must be application/json",
    ],
    ["a body that is a form", "/rpc/API/Ping", {}, "a=1", "not JSON"],
    [
      "a misspelled field",
      "/rpc/Builder/GetAudience",
      {},
      '{"audienceID":7}',
      "/audienceId: expected an integer",
    ],
    [
      "a client of another version",
      "/rpc/Builder/GetAudience",
      { webrpc: "webrpc@v1;gen@v1;platform@v9" },
      "{}",
      "the client was generated from platform v9 and this server from v0.0.1: regenerate the client",
    ],
    [
      "a method that is gone, and such a client",
      "/rpc/API/Gone",
      { webrpc: "webrpc@v1;gen@v1;platform@v9" },
      "{}",
      "regenerate the client",
    ],
  ])("a call with %s gets advice", async (_, path, headers, body, advice) => {
    const answer = await fetch(`${host.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-access-key": host.accessKey, ...headers },
      body,
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(((await answer.json()) as { cause?: string }).cause).toContain(advice);
  });

  test("GET is told to use POST", async () => {
    const answer = await fetch(`${host.url}/rpc/API/Ping`);
    expect([answer.status, await answer.json()]).toMatchObject([
      405,
      { cause: "methods must be called with POST" },
    ]);
  });

  test("the client's error has the same cause", async () => {
    const failureOf = (call: Promise<unknown>): Promise<unknown> => call.catch((err: unknown) => err);
    const { url, accessKey } = host;
    expect(await failureOf(connect({ url }).builder.listContractSources({}))).toMatchObject({
      name: "Unauthorized",
      cause: "the header X-Access-Key with the project's access key is missing",
    });
    expect(await failureOf(connect({ url, accessKey }).on("polgon").marketplace.ping())).toMatchObject({
      name: "WebrpcBadRoute",
      cause: 'this host does not serve "polgon": did you mean "polygon"?',
    });
    expect(await failureOf(connect({ url, accessKey: "abc" }).builder.listContractSources({}))).toMatchObject(
      {
        name: "Unauthorized",
        cause: "unknown access key: it is mistyped, or belongs to another host",
      },
    );
    const text = '{"audienceId":7}' as never;
    expect(await failureOf(connect({ url, accessKey }).builder.getAudience(text))).toMatchObject({
      name: "WebrpcBadRequest",
      cause: expect.stringContaining("expected an object"),
    });
    // A misspelled method does not compile. A method that an older host lacks is reported with its URL.
    // @ts-expect-error Property 'getAudeince' does not exist
    expect(connect({ url }).builder.getAudeince).toBeUndefined();
    const old: Platform = connect({ url, accessKey, transport: asOfVersion("v9") });
    expect(await failureOf(old.builder.getAudience({} as never))).toMatchObject({
      name: "WebrpcBadRequest",
      cause: expect.stringContaining("regenerate the client"),
    });
    expect(await failureOf(connect({ url: `${url}/api`, accessKey }).api.ping())).toMatchObject({
      name: "WebrpcBadRoute",
      cause: "this service has no path for networks: use /rpc/API/Ping",
    });
  });

  test("errors of a method are distinguished by name", async () => {
    const platform = connect({ url: host.url, accessKey: "AQAAAAAAAAPp" });
    const word = match(
      await result(
        platform.metadata.tokenCollectionFilters({ chainId: "137", contractAddress: `0x${"11".repeat(20)}` }),
      ),
      {
        ok: () => "ok",
        Unauthorized: ({ message }) => message,
        _: (error) => error.name,
      },
    );
    expect(word).toBe("Unauthorized access");
  });
});

/** Sends calls like a client built from another version of the contract. */
function asOfVersion(version: string): PlatformSettings["transport"] {
  return (url, { method, headers, body, signal }) => {
    const webrpc = `webrpc@v0.48.0;ridlkit@0.1.0;platform@${version}`;
    return fetch(url, { method, headers: { ...headers, Webrpc: webrpc }, body, signal: signal ?? null });
  };
}

test("a secret key is only sent to services that need it, and its function is called each time", async () => {
  const seen: string[] = [];
  const server = createServer((req, res) => {
    seen.push(`${req.url} ${req.headers.authorization ?? "-"} ${req.headers["x-access-key"] ?? "-"}`);
    res.setHeader("content-type", "application/json").end('{"status":true}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    let given = 0;
    const platform = connect({
      url: `http://127.0.0.1:${port}/base/`,
      accessKey: "key",
      secretKey: async () => `secret${++given}`,
    });
    await platform.api.ping();
    await platform.metadata.ping();
    await platform.builder.ping();
    await platform.on("polygon").marketplace.ping();
    await platform.on("a b").indexer.ping();
    expect(seen).toEqual([
      "/base/rpc/API/Ping - key",
      "/base/rpc/Metadata/Ping - key",
      "/base/rpc/Builder/Ping BEARER secret1 key",
      "/base/polygon/rpc/Marketplace/Ping - key",
      "/base/a%20b/rpc/Indexer/Ping BEARER secret2 key",
    ]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test.each([
  ["api.example", /invalid url "api.example"/],
  ["ftp://api.example", /expected http: or https:, found "ftp:"/],
  ["https://api.example/?a=1", /remove "\?a=1"/],
])("%s is rejected before the first call", (url, reason) => {
  expect(() => connect({ url })).toThrow(reason);
});
