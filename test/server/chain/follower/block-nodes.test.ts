import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { BlockNotFound, InvalidResponse } from "../../../../server/chain/follower/source.ts";
import { BlockNodes } from "../../../../server/chain/follower/viem/block-nodes.ts";
import { nodeLimits } from "../../../../server/chain/rpc/node-limits.ts";
import { MeteredNodes } from "../../../../server/chain/rpc/nodes/metered-nodes.ts";

interface Call {
  readonly id: number;
  readonly method: string;
}

/** A node of chain 31337. */
const node = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const calls = [JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[]].flat();
  const answer = (method: string): object =>
    failWith === undefined || method === "eth_chainId"
      ? { result: "0x7a69" }
      : { error: { code: failWith, message: "a failure" } };
  res.setHeader("content-type", "application/json");
  res.end(JSON.stringify(calls.map(({ id, method }) => ({ jsonrpc: "2.0", id, ...answer(method) }))));
});
let url = "";
/** Code of the error with which the node responds to requests. */
let failWith: number | undefined;

function openNodes(chainId = 31_337): BlockNodes {
  const network = { chainId, name: "local", nodes: [{ url }] };
  return new BlockNodes({
    network,
    metered: new MeteredNodes().of(network),
    share: "follower",
    client: nodeLimits.blocks,
    onChainChanged: () => {},
  });
}

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
  const nodes = openNodes(chainId);
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

test("many requests that wait for a node's limit cause no warning of a leak", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): unknown => warnings.push(name);
  process.on("warning", note);
  const closing = new AbortController();
  const network = { chainId: 31_337, name: "local", nodes: [{ url, maxPerSecond: 1 }] };
  const nodes = new BlockNodes({
    network,
    metered: new MeteredNodes().of(network),
    share: "follower",
    client: nodeLimits.blocks,
    signal: closing.signal,
    onChainChanged: () => {},
  });
  const request = { method: "eth_blockNumber", params: [], isBatchable: true, read: () => 1 };
  const waiting = Array.from({ length: 20 }, () => nodes.request(request).catch(() => undefined));
  await new Promise((done) => setTimeout(done, 100));
  closing.abort();
  await Promise.all(waiting);
  process.off("warning", note);
  expect(warnings).toEqual([]);
});

test.each<[string, unknown, number | undefined]>([
  ["the block", undefined, 1],
  ["no such block", new BlockNotFound("the node does not have the block"), undefined],
])("nodes that respond with %s to an optional request are not demoted", async (_, thrown, expected) => {
  const nodes = openNodes();
  const read = (): number => {
    if (thrown !== undefined) throw thrown;
    return 1;
  };
  const request = { method: "eth_getBlockByNumber", params: ["finalized"], isBatchable: true, read };
  expect(await nodes.requestOptional(request)).toBe(expected);
  expect(nodes.healthy).toEqual([true]);
});

test.each([-32_000, -32_601, -32_602, -32_603, -39_001, 1])(
  "the error %i to an optional request means that the node lacks it",
  async (code) => {
    failWith = code;
    const nodes = openNodes();
    const request = { method: "eth_getBlockByNumber", params: [], isBatchable: true, read: () => 1 };
    expect(await nodes.requestOptional(request)).toBeUndefined();
    failWith = undefined;
  },
);

test("the error -32005 to an optional request means that the node is at its limit", async () => {
  vi.useRealTimers();
  failWith = -32_005;
  const request = { method: "eth_getBlockByNumber", params: [], isBatchable: true, read: () => 1 };
  await expect(openNodes().requestOptional(request)).rejects.toThrow("error -32005");
  failWith = undefined;
});
