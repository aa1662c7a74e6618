/** Which node each part of the host asks first after one of them failed, on real sockets. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BlockNodes } from "../../../../server/chain/follower/viem/block-nodes.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { nodeLimits } from "../../../../server/chain/rpc/node-limits.ts";
import { MeteredNodes } from "../../../../server/chain/rpc/nodes/metered-nodes.ts";
import { localNetwork } from "../../../support/local-network.ts";

const closing: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) close();
});

interface Call {
  readonly id: number;
  readonly method: string;
}

/** A node whose response to each call is its own index, from 0, as a word. */
async function startNode(index: number): Promise<string> {
  const server = createServer(async (req, res) => {
    const calls = [JSON.parse(Buffer.concat(await req.toArray()).toString()) as Call | Call[]].flat();
    const resultOf = (method: string): string => (method === "eth_chainId" ? "0x7a69" : `0x0${index}`);
    const reply = calls.map(({ id, method }) => ({ jsonrpc: "2.0", id, result: resultOf(method) }));
    res.setHeader("content-type", "application/json");
    res.end(JSON.stringify(reply));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Parts {
  readonly openBlockNodes: () => BlockNodes;
  /** Makes a call as users do. Returns the index of the node that responded. */
  readonly call: () => Promise<number>;
}

/** The parts of a host with two nodes. */
async function openParts(): Promise<Parts> {
  const meteredNodes = new MeteredNodes();
  const network = localNetwork([await startNode(0), await startNode(1)]);
  const chain = await new Chains({ meteredNodes }).of(network);
  return {
    openBlockNodes: () =>
      new BlockNodes({
        network,
        metered: meteredNodes.of(network),
        share: "follower",
        client: nodeLimits.blocks,
        onChainChanged: () => {},
      }),
    call: async () => Number(await chain.call({ to: `0x${"11".repeat(20)}`, data: "0x" })),
  };
}

/** Requests a block. Node 0 fails with this error. Returns the index of the node that responded. */
function readBlock(nodes: BlockNodes, failure: Error | undefined): Promise<number> {
  const read = (response: unknown, node: number): number => {
    if (node === 0 && failure !== undefined) throw failure;
    return Number(response);
  };
  return nodes.request({ method: "eth_getBlockByNumber", params: [], isBatchable: true, read });
}

test("a node that failed one part of the host stays the first one of the others", async () => {
  const { openBlockNodes, call } = await openParts();
  const blocks = openBlockNodes();
  expect(await readBlock(blocks, new Error("a failure"))).toBe(1);
  expect(blocks.preferred).toBe(1);
  expect(await call()).toBe(0);
});
