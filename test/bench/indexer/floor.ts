/**
 * The cheapest way to store the logs of a chain: request them and the headers, parse JSON, COPY. It checks nothing and keeps no checkpoint.
 */

import type { Database } from "../../../server/base/storage/database.ts";
import type { ChainLog } from "../../../server/chain/follower/derive/blocks.ts";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import { emitterAddress, transferTopic } from "../../support/event-chain.ts";
import { writeRows } from "./rows.ts";

const rangeBlocks = 250;
const concurrentRanges = 4;
const headersPerBatch = 50;

type Result = Readonly<Record<string, Hex>>;

export async function floor(database: Database, rpcUrl: string, to: number): Promise<void> {
  const starts = Array.from({ length: Math.ceil((to + 1) / rangeBlocks) }, (_, index) => index * rangeBlocks);
  const worker = async (): Promise<void> => {
    for (let from = starts.shift(); from !== undefined; from = starts.shift())
      await storeRange(database, rpcUrl, from, Math.min(to, from + rangeBlocks - 1));
  };
  await Promise.all(Array.from({ length: concurrentRanges }, worker));
}

async function storeRange(database: Database, rpcUrl: string, from: number, to: number): Promise<void> {
  const filter = { fromBlock: hex(from), toBlock: hex(to), address: emitterAddress, topics: [transferTopic] };
  const [logs] = (await call(rpcUrl, [["eth_getLogs", filter]])) as [
    readonly (Result & { readonly topics: Hex[] })[],
  ];
  const byBlock = new Map<string, ChainLog[]>();
  for (const log of logs) {
    const {
      blockNumber = "0x",
      address = "0x",
      data = "0x",
      transactionHash = "0x",
      logIndex = "0x",
    } = log as Result;
    const own = byBlock.get(blockNumber) ?? [];
    if (own.length === 0) byBlock.set(blockNumber, own);
    own.push({
      address,
      data,
      transactionHash,
      transactionIndex: 0,
      logIndex: Number(logIndex),
      indexInTransaction: undefined,
      topics: log.topics,
    });
  }
  const numbers = [...byBlock.keys()];
  const batches = Array.from({ length: Math.ceil(numbers.length / headersPerBatch) }, (_, index) =>
    call(
      rpcUrl,
      numbers
        .slice(index * headersPerBatch, (index + 1) * headersPerBatch)
        .map((number) => ["eth_getBlockByNumber", number, false]),
    ),
  );
  const headers = (await Promise.all(batches)).flat() as readonly Result[];
  const blocks = headers.map(({ number = "0x", hash = "0x", parentHash = "0x", timestamp = "0x" }) => ({
    number: Number(number),
    hash,
    parentHash,
    timestamp: Number(timestamp),
    logs: byBlock.get(number) ?? [],
  }));
  await database.transaction((tx) => writeRows(tx, blocks));
}

async function call(
  rpcUrl: string,
  calls: readonly (readonly [string, ...unknown[]])[],
): Promise<readonly unknown[]> {
  const body = JSON.stringify(
    calls.map(([method, ...params], id) => ({ jsonrpc: "2.0", id, method, params })),
  );
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const responses = (await response.json()) as readonly { readonly id: number; readonly result: unknown }[];
  return responses.toSorted((a, b) => a.id - b.id).map(({ result }) => result);
}

function hex(number: number): Hex {
  return `0x${number.toString(16)}`;
}
