import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { BlockNotFound, InvalidResponse } from "../../../../server/chain/follower/source.ts";
import { SourceNodes, sourceLimits } from "../../../../server/chain/follower/viem/source-nodes.ts";
import { NodeBudgets } from "../../../../server/chain/rpc/nodes/node-budgets.ts";

/** A node of chain 31337. */
const node = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const calls = JSON.parse(Buffer.concat(chunks).toString()) as readonly { readonly id: number }[];
  res.setHeader("content-type", "application/json");
  res.end(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x7a69" }))));
});
let url = "";

beforeAll(async () => {
  await new Promise<void>((done) => node.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
});
afterAll(() => {
  node.closeAllConnections();
  node.close();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each<[string, Error | undefined, chainId: number, seconds: number]>([
  ["fails", new Error("a failure"), 31_337, 15],
  ["lacks a block", new BlockNotFound("the node does not have the block"), 31_337, 1],
  ["returns nonsense", new InvalidResponse("the logs are not a list"), 31_337, 60],
  ["belongs to another chain", undefined, 137, 300],
])("a node that %s is used after all others for a while", async (_, thrown, chainId, seconds) => {
  const network = { chainId, name: "local", nodes: [{ url }] };
  const nodes = new SourceNodes({
    network,
    metered: new NodeBudgets().of(network),
    share: "follower",
    client: sourceLimits,
    onChainChanged: () => {},
  });
  const read = (): number => {
    if (thrown !== undefined) throw thrown;
    return 1;
  };
  expect(nodes.healthy).toEqual([true]);
  await expect(
    nodes.request({ method: "eth_blockNumber", params: [], isBatchable: true, read }),
  ).rejects.toThrow();
  vi.advanceTimersByTime(seconds * 1_000 - 1);
  expect(nodes.healthy).toEqual([false]);
  vi.advanceTimersByTime(1);
  expect(nodes.healthy).toEqual([true]);
});
