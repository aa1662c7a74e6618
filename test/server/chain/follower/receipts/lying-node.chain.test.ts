/** Follows a local chain through a node that lies and an honest one, and proves all logs with receipts. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadKeccak } from "../../../../../server/base/keccak.ts";
import type { Database } from "../../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../../server/base/storage/open-database.ts";
import { readCheckpoint } from "../../../../../server/chain/follower/checkpoint.ts";
import { type Followers, openFollowers } from "../../../../../server/chain/follower/open-followers.ts";
import { headerHash } from "../../../../../server/chain/follower/viem/block-headers.ts";
import { logsOfReceipts } from "../../../../../server/chain/follower/viem/receipts.ts";
import type { Hex } from "../../../../../server/chain/rpc/chain.ts";
import { MeteredNodes, noNodeEvents } from "../../../../../server/chain/rpc/nodes/metered-nodes.ts";
import {
  type EventChain,
  emittedTopic,
  emitterAddress,
  startEventChain,
} from "../../../../support/event-chain.ts";
import {
  type Fault,
  type FaultyNode,
  honest,
  type RpcAnswer,
  type RpcCall,
  startFaultyNode,
} from "../../../../support/faulty-node.ts";
import { localNetwork } from "../../../../support/local-network.ts";
import { recordedLogs, recordingDeriver, recordingTables } from "../../../../support/recording-deriver.ts";
import { noSandbox } from "../../../../support/sandbox.ts";
import { migratedDatabase } from "../../../../support/server.ts";

const chainId = 31_337;
const window = 4;
const filter = { addresses: new Set([emitterAddress]), topics: new Set([emittedTopic]) };
const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

let chain: EventChain;
let server: Awaited<ReturnType<typeof migratedDatabase>> | undefined;
let database: Database | undefined;
let node: FaultyNode;
let told: string[] = [];
let calls: RpcCall[] = [];
const followers: Followers[] = [];

interface Receipt {
  readonly blockNumber: Hex;
  readonly logs: readonly { readonly data: Hex }[];
}

beforeAll(async () => {
  if (noSandbox) return;
  chain = await startEventChain();
  node = await startFaultyNode(chain.rpcUrl);
  for (let block = 1; block <= 30; block++) {
    if (block % 3 === 0) {
      await chain.emit(2);
      await chain.emit(3);
    }
    await chain.mine();
  }
});
afterEach(async () => {
  await Promise.all(followers.splice(0).map((each) => each[Symbol.asyncDispose]()));
  await database?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  database = undefined;
  server = undefined;
  node.fault = honest;
});
afterAll(async () => {
  await node?.[Symbol.asyncDispose]();
  await chain?.[Symbol.asyncDispose]();
});

/** The faulty node is the preferred one. */
async function follow(fault: Fault, rpcUrls = [node.rpcUrl, chain.rpcUrl]): Promise<Database> {
  [told, calls] = [[], []];
  node.fault = (exchange) => {
    calls.push(...exchange.calls);
    return fault(exchange);
  };
  server = await migratedDatabase();
  const opened = openDatabase(
    { connectionString: server.url },
    { connections: 8, statementTimeoutMs: 10_000, namedStatements: true },
  );
  database = opened;
  await opened.query(recordingTables);
  const quiet = (): void => {};
  const network = localNetwork(rpcUrls, { follow: { start: 0, window, pollMs: 50, checkReceipts: true } });
  const budgets = new MeteredNodes({
    ...noNodeEvents,
    falseResponse: (name, index, reason) => void told.push(`${name} ${index} ${reason}`),
  });
  followers.push(
    openFollowers({
      database: opened,
      hasSessions: true,
      networks: [network],
      derivers: [recordingDeriver(filter)],
      budgets,
      events: {
        leadTaken: quiet,
        leadLost: quiet,
        headSeen: quiet,
        catchingUp: quiet,
        advanced: quiet,
        reorganised: quiet,
        rewound: quiet,
        skipped: quiet,
        nodeDemoted: quiet,
        archiveDamaged: quiet,
        failed: (_, cause) => void told.push(`failed: ${(cause as Error).message}`),
        stopped: quiet,
      },
    }),
  );
  return opened;
}

async function untilEqual(queries: Database): Promise<void> {
  const head = await chain.head();
  await expect
    .poll(async () => (await readCheckpoint(queries, chainId))?.number, { timeout: 120_000 })
    .toBe(head);
  const expected = (await chain.events()).map(
    (log) => `${log.blockNumber} ${log.blockHash} ${log.logIndex} ${log.data}`,
  );
  expect(await recordedLogs(queries)).toEqual(expected);
}

/** Changes the results of a method. */
const changing =
  (method: string, change: (result: never) => unknown): Fault =>
  async ({ calls: given, forward, send }) => {
    const changed = new Set(given.filter((call) => call.method === method).map(({ id }) => id));
    const answers = await forward();
    send(
      answers.map((answer: RpcAnswer) =>
        changed.has(Number(answer.id)) ? { ...answer, result: change(answer.result as never) } : answer,
      ),
    );
  };

const changingReceipts = (change: (receipts: readonly Receipt[]) => unknown): Fault =>
  changing("eth_getBlockReceipts", (receipts: readonly Receipt[]) =>
    receipts.some(({ logs }) => logs.length > 0) ? change(receipts) : receipts,
  );
const changingLogs = (change: (logs: Receipt["logs"]) => unknown): Fault =>
  changingReceipts((receipts) => receipts.map((receipt) => ({ ...receipt, logs: change(receipt.logs) })));

const wrongRoot = "local-chain 0 its receipts do not have the root in the block's header";
const wrongHash = "local-chain 0 a block's header does not have the block's hash";

describe.skipIf(noSandbox)("with checkReceipts", () => {
  test.each([
    ["omits a log", changingLogs((logs) => logs.slice(1)), wrongRoot],
    ["omits all logs of a block", changingReceipts(() => []), wrongRoot],
    [
      "forges a log",
      changingLogs((logs) => logs.map((log) => ({ ...log, data: `0x${"ff".repeat(32)}` }))),
      wrongRoot,
    ],
    ["adds a log", changingLogs((logs) => [...logs, ...logs.slice(0, 1)]), wrongRoot],
    ["reorders transactions", changingReceipts((receipts) => receipts.toReversed()), wrongRoot],
    [
      "omits the logs of a single block",
      changingReceipts((receipts) => (receipts[0]?.blockNumber === "0x3" ? [] : receipts)),
      wrongRoot,
    ],
    [
      "hides logs from the bloom filter",
      changing("eth_getBlockByNumber", (header: object) => ({
        ...header,
        logsBloom: `0x${"00".repeat(256)}`,
      })),
      wrongHash,
    ],
  ] as const)("a node that %s is found and named, and the other node is used", async (_, fault, expected) => {
    const queries = await follow(fault);
    await untilEqual(queries);
    calls = [];
    await chain.emit(2);
    await chain.mine();
    await untilEqual(queries);
    expect(told).toEqual([expected]);
    // The other node is asked for everything.
    expect(calls).toEqual([]);
  });

  test("a chain whose only node lies waits for an honest one", async () => {
    const queries = await follow(
      changingLogs((logs) => logs.slice(1)),
      [node.rpcUrl],
    );
    await expect.poll(() => told, { timeout: 60_000 }).toContain(wrongRoot);
    expect(await recordedLogs(queries)).toEqual([]);
    node.fault = honest;
    await untilEqual(queries);
  });

  test("catching up takes a header for each block, and receipts for each block whose bloom filter matches", async () => {
    const queries = await follow(honest, [node.rpcUrl]);
    await untilEqual(queries);
    const blocks = new Set((await chain.events()).map(({ blockNumber }) => blockNumber));
    const count = (method: string): number =>
      calls.filter(({ method: used, params }) => used === method && params[0] !== "latest").length;
    expect(count("eth_getLogs")).toBe(0);
    expect(count("eth_getBlockReceipts")).toBe(blocks.size);
    expect(count("eth_getBlockByNumber")).toBeLessThanOrEqual((await chain.head()) + 2);
    expect(told).toEqual([]);
  });

  test("nodes with headers of another form are reported at the start", async () => {
    const changed = (header: object) => ({ ...header, mixHash: `0x${"12".repeat(32)}` });
    await follow(changing("eth_getBlockByNumber", changed), [node.rpcUrl]);
    const message =
      "failed: the headers of this chain are not hashed like those of Ethereum, which checkReceipts needs; set it to false for this network";
    await expect.poll(() => told, { timeout: 60_000 }).toEqual([message]);
  });

  test("roots and hashes are those of the node, for any number of transactions of types 0 to 2", async () => {
    const keccak = await loadKeccak();
    const kinds = [
      { gasPrice: "0x77359400" },
      { gasPrice: "0x77359400", accessList: [] },
      { maxFeePerGas: "0x77359400" },
    ];
    const used = new Set<unknown>();
    for (const count of [1, 2, 3, 15, 16, 17, 127, 128, 129, 257]) {
      for (let index = 0; index < count; index++) {
        const data = `0x${(index % 3).toString(16).padStart(2, "0")}${index.toString(16).padStart(64, "0")}`;
        const transaction = {
          from: account,
          to: emitterAddress,
          data,
          gas: "0x186a0",
          ...kinds[index % kinds.length],
        };
        await chain.request("eth_sendTransaction", transaction);
      }
      await chain.mine();
      const header = (await chain.request("eth_getBlockByNumber", "latest", false)) as Record<
        "hash" | "receiptsRoot",
        Hex
      >;
      const receipts = (await chain.request("eth_getBlockReceipts", header.hash)) as readonly {
        readonly type: string;
        readonly logs: readonly object[];
      }[];
      expect(receipts).toHaveLength(count);
      for (const { type } of receipts) used.add(type);
      expect(headerHash(header, keccak)).toBe(header.hash);
      const logs = logsOfReceipts(receipts, header.receiptsRoot, keccak);
      expect(logs).toHaveLength(receipts.flatMap((receipt) => receipt.logs).length);
    }
    expect(used).toEqual(new Set(["0x0", "0x1", "0x2"]));
  });
});
