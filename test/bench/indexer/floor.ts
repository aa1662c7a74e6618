/** The least that storing a chain's logs can be: ask for them and for the headers, read JSON, COPY. It checks nothing and keeps no place. */

import type { Database } from "../../../server/base/storage/database.ts";
import type { ChainLog } from "../../../server/chain/follower/derive/deriver.ts";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import { emitterAddress, transferTopic } from "../../support/event-chain.ts";
import { writeRows } from "./rows.ts";

const rangeBlocks = 250;
const rangesAtOnce = 4;
const headersAtOnce = 50;

type Answer = Readonly<Record<string, Hex>>;

export async function floor(database: Database, rpcUrl: string, to: number): Promise<void> {
  const starts = Array.from({ length: Math.ceil((to + 1) / rangeBlocks) }, (_, index) => index * rangeBlocks);
  const worker = async (): Promise<void> => {
    for (let from = starts.shift(); from !== undefined; from = starts.shift())
      await storeRange(database, rpcUrl, from, Math.min(to, from + rangeBlocks - 1));
  };
  await Promise.all(Array.from({ length: rangesAtOnce }, worker));
}

async function storeRange(database: Database, rpcUrl: string, from: number, to: number): Promise<void> {
  const filter = { fromBlock: hex(from), toBlock: hex(to), address: emitterAddress, topics: [transferTopic] };
  const [logs] = (await ask(rpcUrl, [["eth_getLogs", filter]])) as [
    readonly (Answer & { readonly topics: Hex[] })[],
  ];
  const byBlock = new Map<string, ChainLog[]>();
  for (const log of logs) {
    const {
      blockNumber = "0x",
      address = "0x",
      data = "0x",
      transactionHash = "0x",
      logIndex = "0x",
    } = log as Answer;
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
  const batches = Array.from({ length: Math.ceil(numbers.length / headersAtOnce) }, (_, index) =>
    ask(
      rpcUrl,
      numbers
        .slice(index * headersAtOnce, (index + 1) * headersAtOnce)
        .map((number) => ["eth_getBlockByNumber", number, false]),
    ),
  );
  const headers = (await Promise.all(batches)).flat() as readonly Answer[];
  const blocks = headers.map(({ number = "0x", hash = "0x", parentHash = "0x", timestamp = "0x" }) => ({
    number: Number(number),
    hash,
    parentHash,
    timestamp: Number(timestamp),
    logs: byBlock.get(number) ?? [],
  }));
  await database.transaction((tx) => writeRows(tx, blocks));
}

async function ask(
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
  const answers = (await response.json()) as readonly { readonly id: number; readonly result: unknown }[];
  return answers.toSorted((a, b) => a.id - b.id).map(({ result }) => result);
}

function hex(number: number): Hex {
  return `0x${number.toString(16)}`;
}
