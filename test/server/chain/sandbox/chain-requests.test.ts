/** Limits of what reaches the sandbox's chain; chain-proxy.chain.test.ts sends the requests to it. */
import { expect, test } from "vitest";
import { readMessage } from "../../../../server/chain/sandbox/chain-proxy.ts";

const request = (method: string, ...params: readonly unknown[]) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params,
});

test.each([
  ["anvil_reorg", 63, 64, 65],
  ["hardhat_reorg", 63, 64, 65],
  ["anvil_mine", 999, 1_000, 1_001],
])("%s of %i and %i blocks is forwarded, of %i rejected", (method, below, at, above) => {
  const isForwarded = (blocks: number) => "forwarded" in readMessage(JSON.stringify(request(method, blocks)));
  expect([below, at, above].map(isForwarded)).toEqual([true, true, false]);
});

test("a batch has at most 100 requests", () => {
  const isForwarded = (count: number) =>
    "forwarded" in readMessage(JSON.stringify(Array.from({ length: count }, () => request("eth_chainId"))));
  expect([99, 100, 101].map(isForwarded)).toEqual([true, true, false]);
});
