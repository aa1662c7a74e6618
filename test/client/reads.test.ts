import { expect, test } from "vitest";
import { byGet, connect } from "../../client/index.ts";
import type { Transport } from "../../generator/runtime/src/transport.ts";

test.each([
  [undefined, "POST"],
  [byGet, "GET"],
] as const)("with reads: %o, reads of market data are sent by %s, with the key", async (reads, method) => {
  const sent: string[] = [];
  const transport: Transport = async (url, init) => {
    sent.push(`${init.method} ${url.replace(/[?].*/, "")} ${init.headers["x-access-key"]}`);
    return { status: 200, headers: { get: () => null }, text: async () => '{"filters":[]}' };
  };
  const platform = connect({
    url: "http://host",
    accessKey: "key",
    transport: transport as never,
    ...(reads && { reads }),
  });
  const contractAddress = `0x${"1".repeat(40)}`;
  await platform.metadata.tokenCollectionFilters({ chainId: "137", contractAddress });
  await platform.on("polygon").marketplace.getFloorOrder({ contractAddress });
  await platform.api.version({});
  expect(sent).toEqual([
    `${method} http://host/rpc/Metadata/TokenCollectionFilters key`,
    `${method} http://host/polygon/rpc/Marketplace/GetFloorOrder key`,
    "POST http://host/rpc/API/Version key",
  ]);
});

test.each([
  [{}, undefined, undefined],
  [{ accessKey: "key" }, "key", undefined],
  [{ accessKey: "key", secretKey: "secret" }, "key", "BEARER secret"],
  [{ secretKey: () => "secret" }, undefined, "BEARER secret"],
])(
  "with the keys %o, a call of Indexer has the headers %s and %s, and others have no secret",
  async (keys, accessKey, secret) => {
    const sent: unknown[] = [];
    const transport: Transport = async (_url, init) => {
      sent.push([init.headers["x-access-key"], init.headers["authorization"]]);
      return { status: 200, headers: { get: () => null }, text: async () => '{"status":true}' };
    };
    const platform = connect({ url: "http://host", transport: transport as never, ...keys });
    const { indexer, marketplace } = platform.on("polygon");
    for (const service of [indexer, platform.builder, platform.api, platform.metadata, marketplace])
      await service.ping();
    const other = [accessKey, undefined];
    expect(sent).toEqual([[accessKey, secret], [accessKey, secret], other, other, other]);
    expect(platform.on("polygon")).toBe(platform.on("polygon"));
  },
);
