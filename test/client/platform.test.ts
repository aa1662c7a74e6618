import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, match, RpcError, result } from "../../client/index.ts";
import { type RunningHost, startHost } from "../support/host.ts";

describe("the platform as one object", () => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await startHost({ args: ["--networks", "polygon"] });
  }, 60_000);
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
    // The keys were taken: what is missing is a node of the network.
    await expect(indexer.getAllWebhookListeners({})).rejects.toMatchObject({ name: "Unavailable" });
    expect((await marketplace.getOrders({ input: [] })).orders).toEqual([]);
  });

  test("a network by its number is the same, and one that is not served is told by the call", async () => {
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

  test("what a method may fail with is told apart by name", async () => {
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

test("a secret key goes to no service but those that ask for it, and is asked for anew each time", async () => {
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
  ["api.example", /is no address: "api.example"/],
  ["ftp://api.example", /starts with "ftp:"/],
  ["https://api.example/?a=1", /ends with "\?a=1"/],
])("%s is refused before the first call", (url, reason) => {
  expect(() => connect({ url })).toThrow(reason);
});
