import type { Context } from "koa";
import { expect, test } from "vitest";
import { Networks } from "../../../../server/chain/networks/networks.ts";
import { readNetworks } from "../../../../server/chain/networks/settings.ts";
import { methodPathOf, parseCallPath, pathNetworkOf } from "../../../../server/host/http/network-path.ts";

const networkDetails = { polygon: {}, "424242": { name: "rpc" } };
const networks = new Networks(readNetworks({ networks: undefined, rpcUrls: [], networkDetails }).networks);

test.each([
  ["/rpc/Marketplace/GetOrders", "/rpc/Marketplace/GetOrders", undefined],
  ["/polygon/rpc/Marketplace/GetOrders", "/rpc/Marketplace/GetOrders", 137],
  ["/Polygon/rpc/Indexer/Ping", "/rpc/Indexer/Ping", 137],
  ["/137/rpc/Marketplace/GetOrders", "/rpc/Marketplace/GetOrders", 137],
  ["/0x89/rpc/Marketplace/GetOrders", "/rpc/Marketplace/GetOrders", 137],
  // A network may be named "rpc".
  ["/424242/rpc/Marketplace/GetOrders", "/rpc/Marketplace/GetOrders", 424_242],
  ["/rpc/rpc/Marketplace/GetOrders", "/rpc/rpc/Marketplace/GetOrders", undefined],
  ["/base/rpc/Marketplace/GetOrders", "/base/rpc/Marketplace/GetOrders", undefined],
  ["/polygon/rpc/API/Ping", "/polygon/rpc/API/Ping", undefined],
  ["/polygon/rpc/Marketplace", "/polygon/rpc/Marketplace", undefined],
  ["/polygon/rpc/Marketplace/GetOrders/more", "/polygon/rpc/Marketplace/GetOrders/more", undefined],
  ["/more/polygon/rpc/Marketplace/GetOrders", "/more/polygon/rpc/Marketplace/GetOrders", undefined],
  ["//rpc/Marketplace/GetOrders", "//rpc/Marketplace/GetOrders", undefined],
])("%s is the method %s on network %s", (path, method, chainId) => {
  const { path: found, network } = parseCallPath(path, networks);
  expect([found, network?.chainId]).toEqual([method, chainId]);
  const ctx = { path, state: {} } as Context;
  expect(methodPathOf(ctx, networks)).toBe(method);
  expect(pathNetworkOf(ctx)?.chainId).toBe(chainId);
  expect(Object.keys(ctx.state)).toEqual(chainId === undefined ? [] : ["network"]);
});
