import { expect, test } from "vitest";
import { Networks } from "../../../../server/chain/networks/networks.ts";
import { readNetworks } from "../../../../server/chain/networks/settings.ts";
import { suggestPath } from "../../../../server/host/http/middleware.ts";

const routes = {
  paths: ["/rpc/API/GetSwapPrice", "/rpc/Marketplace/GetOrders"],
  networks: new Networks(
    readNetworks({ networks: ["polygon"], rpcUrls: [], networkDetails: undefined }).networks,
  ),
};
const general = "paths are /rpc/<Service>/<Method>; Marketplace and Indexer also accept /<network> in front";

test.each([
  ["/rpc/API/GetSwapPrise", "did you mean /rpc/API/GetSwapPrice?"],
  ["/polygon/rpc/Marketplace/GetOrder", "did you mean /polygon/rpc/Marketplace/GetOrders?"],
  ["/polgon/rpc/Marketplace/GetOrders", 'this host does not serve "polgon": did you mean "polygon"?'],
  ["/base/rpc/Marketplace/GetOrders", 'this host does not serve "base"; it serves polygon (137)'],
  ["/polygon/rpc/API/GetSwapPrice", "this service has no path for networks: use /rpc/API/GetSwapPrice"],
  ["/nothing", general],
])("for %s the advice is: %s", (path, advice) => {
  expect(suggestPath(path, routes)).toBe(advice);
});

test.each([
  [99, general],
  [100, general],
  [101, undefined],
])("for a path of %i characters the advice is: %s", (length, advice) => {
  expect(suggestPath(`/${"x".repeat(length - 1)}`, routes)).toBe(advice);
});
