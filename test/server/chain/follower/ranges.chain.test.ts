/** Reads ranges of a real chain through nodes with limits, and compares the logs with the receipts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RangePlanner } from "../../../../server/chain/follower/range-planner.ts";
import { backfill } from "../../../../server/chain/follower/read-blocks.ts";
import { openSource } from "../../../../server/chain/follower/viem/open-source.ts";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import {
  type EventChain,
  emittedTopic,
  emitterAddress,
  startEventChain,
} from "../../../support/event-chain.ts";
import {
  type Exchange,
  type Fault,
  honest,
  type RpcCall,
  startFaultyNode,
} from "../../../support/faulty-node.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox } from "../../../support/sandbox.ts";

const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const otherAddress: Hex = `0x${"e2".repeat(20)}`;
/** Every block of the first part has logs of both contracts, every tenth of the second part, and none of the last. */
const parts = { every: 120, tenth: 200, none: 100 };
const last = parts.every + parts.tenth + parts.none;
const filter = { addresses: new Set([emitterAddress]), topics: new Set([emittedTopic]) };
const indexed = { ...filter, indexInTransaction: true };

let chain: EventChain;
let expected: readonly string[] = [];

beforeAll(async () => {
  if (noSandbox) return;
  chain = await startEventChain();
  await chain.request(
    "anvil_setCode",
    otherAddress,
    await chain.request("eth_getCode", emitterAddress, "latest"),
  );
  for (let block = 1; block <= last; block++) {
    const isOn = block <= parts.every || (block <= parts.every + parts.tenth && block % 10 === 0);
    if (isOn) {
      await emitFrom(otherAddress, 2);
      await chain.emit(3);
      await chain.emit(1);
    }
    await chain.mine();
  }
  expected = await logsOfReceipts();
});
afterAll(async () => {
  await chain?.[Symbol.asyncDispose]();
});

async function emitFrom(to: Hex, count: number): Promise<void> {
  const data = `0x${count.toString(16).padStart(2, "0")}${"00".repeat(32)}`;
  await chain.request("eth_sendTransaction", { from: account, to, data, gas: "0x4c4b40" });
}

interface Receipt {
  readonly logs: readonly Readonly<Record<"address" | "logIndex" | "blockHash", Hex>>[];
}

async function logsOfReceipts(): Promise<readonly string[]> {
  const lines: string[] = [];
  for (let block = 1; block <= last; block++)
    for (const { logs } of (await chain.request(
      "eth_getBlockReceipts",
      `0x${block.toString(16)}`,
    )) as readonly Receipt[])
      for (const [index, { address, logIndex, blockHash }] of logs.entries())
        if (address === emitterAddress) lines.push(`${block} ${blockHash} ${Number(logIndex)} ${index}`);
  return lines;
}

interface Reading {
  readonly lines: readonly string[];
  readonly logRequests: readonly LogRequest[];
  readonly demoted: readonly string[];
  /** Number of calls of any method. */
  readonly sent: number;
}

type LogRequest = Readonly<Partial<Record<"fromBlock" | "toBlock" | "blockHash", Hex>>> & {
  readonly address?: readonly Hex[];
};

async function read({
  follow = {},
  fault = honest,
  wants = indexed,
}: {
  readonly follow?: object;
  readonly fault?: Fault;
  readonly wants?: typeof filter;
} = {}): Promise<Reading> {
  const calls: RpcCall[] = [];
  // Each reading has its own node: requests of a failed reading may still be under way.
  await using node = await startFaultyNode(chain.rpcUrl);
  node.fault = (exchange) => {
    calls.push(...exchange.calls);
    return fault(exchange);
  };
  const demoted: string[] = [];
  const source = await openSource(localNetwork(node.rpcUrl, { follow }), {
    onDemoted: (_, reason) => void demoted.push(reason),
  });
  const lines: string[] = [];
  const options = { from: 1, to: last, filter: wants, planner: new RangePlanner(10_000) };
  for await (const { blocks } of backfill(source, options))
    for (const { number, hash, logs } of blocks)
      for (const { logIndex, indexInTransaction } of logs)
        lines.push(`${number} ${hash} ${logIndex} ${indexInTransaction}`);
  const logRequests = calls
    .filter(({ method }) => method === "eth_getLogs")
    .map(({ params }) => params[0] as LogRequest);
  return { lines, logRequests, demoted, sent: calls.length };
}

const isSingle = ({ blockHash }: LogRequest): boolean => blockHash !== undefined;
const blocksIn = ({ fromBlock = "0x0", toBlock = "0x0" }: LogRequest): number =>
  Number(toBlock) - Number(fromBlock) + 1;

/** Refuses requests for logs that match, with this error. */
const refusing =
  (error: object, isRefused: (request: LogRequest) => boolean): Fault =>
  async ({ calls: given, forward, send }: Exchange) => {
    const refused = new Set(
      given
        .filter(({ method, params }) => method === "eth_getLogs" && isRefused(params[0] as LogRequest))
        .map(({ id }) => id),
    );
    const answers = await forward();
    send(answers.map((one) => (refused.has(Number(one.id)) ? { jsonrpc: "2.0", id: one.id, error } : one)));
  };

const hasBloom = (result: unknown): result is object =>
  typeof result === "object" && result !== null && "logsBloom" in result;

describe.skipIf(noSandbox)(
  "the logs of ranges, with indexes within transactions, are those of the receipts",
  () => {
    test("and need no request for each block if all logs match", async () => {
      const wants = { ...indexed, addresses: new Set([emitterAddress, otherAddress]) };
      const { lines, logRequests } = await read({ wants });
      expect(lines.length).toBeGreaterThan(expected.length);
      expect(logRequests.filter(isSingle)).toEqual([]);
    });

    test("on a chain without bloom filters", async () => {
      expect((await read({ follow: { checkBloom: false } })).lines).toEqual(expected);
    });

    test("from a node that leaves bloom filters empty", async () => {
      const logsBloom = `0x${"0".repeat(512)}`;
      const fault: Fault = async ({ forward, send }) => {
        const answers = await forward();
        send(
          answers.map((one) =>
            hasBloom(one.result) ? { ...one, result: { ...one.result, logsBloom } } : one,
          ),
        );
      };
      expect((await read({ fault })).lines).toEqual(expected);
    });

    test.each([
      ["eth_getLogs is limited to a 10 block range", 4],
      ["block range is too wide", 20],
    ])("from a node with a limit of 10 blocks, which says: %s", async (message, maxRefusals) => {
      const { lines, logRequests, demoted } = await read({
        fault: refusing({ code: -32_602, message }, (request) => blocksIn(request) > 10),
      });
      expect(lines).toEqual(expected);
      expect(demoted).toEqual([]);
      const refused = logRequests.filter((request) => blocksIn(request) > 10);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.length).toBeLessThanOrEqual(maxRefusals);
    });

    test("from a node with a limit of 10 blocks, with few requests", async () => {
      const { lines, logRequests, sent } = await read({
        fault: refusing(
          { code: -32_602, message: "block range is too wide" },
          (request) => blocksIn(request) > 10,
        ),
        wants: filter,
      });
      expect(lines).toHaveLength(expected.length);
      const refused = logRequests.filter((request) => blocksIn(request) > 10).length;
      expect(refused / logRequests.length).toBeLessThan(0.2);
      expect(logRequests.length).toBeLessThan(last / 10 + 15);
      // The headers of blocks with logs, and those of the first and the last block of each range, which has up to eight requests for logs.
      const withLogs = parts.every + parts.tenth / 10;
      expect(sent - logRequests.length).toBeLessThan(withLogs + 2 * (last / 80) + 10);
    });

    test("from a node that does not support block hashes in requests for logs", async () => {
      const { lines, logRequests } = await read({
        fault: refusing({ code: -32_602, message: "unknown field `blockHash`" }, isSingle),
      });
      expect(lines).toEqual(expected);
      expect(
        logRequests.some(({ fromBlock, toBlock }) => fromBlock !== undefined && fromBlock === toBlock),
      ).toBe(true);
    });

    test("unless a node leaves logs out, which is noticed", async () => {
      const fault: Fault = async ({ calls: given, forward, send }) => {
        const ids = new Set(given.filter(({ method }) => method === "eth_getLogs").map(({ id }) => id));
        const answers = await forward();
        send(
          answers.map((one) =>
            ids.has(Number(one.id)) ? { ...one, result: (one.result as readonly object[]).slice(1) } : one,
          ),
        );
      };
      await expect(read({ fault })).rejects.toThrow("the logs do not match the block's bloom filter");
    });

    test("and no block is read one by one for a deriver that does not need the indexes", async () => {
      const { lines, logRequests } = await read({ wants: filter });
      const withoutIndexes = (all: readonly string[]) => all.map((line) => line.replace(/ \w+$/, ""));
      expect(withoutIndexes(lines)).toEqual(withoutIndexes(expected));
      expect(logRequests.some(isSingle)).toBe(false);
    });
  },
);
