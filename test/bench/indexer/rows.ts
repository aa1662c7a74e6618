/** The rows that every candidate stores: blocks with logs, and logs. */

import type { Transaction } from "../../../server/base/storage/database.ts";
import type { BlockRef, ChainLog } from "../../../server/chain/follower/derive/blocks.ts";
import type { Deriver } from "../../../server/chain/follower/derive/deriver.ts";
import type { LogFilter } from "../../../server/chain/follower/derive/log-filter.ts";
import { bytesOf } from "../../../server/chain/rpc/hex.ts";
import { emitterAddress, transferTopic } from "../../support/event-chain.ts";

export const rowTables = `
create table bench_block (number bigint, hash bytea, parent_hash bytea, time bigint);
create table bench_log (block_number bigint, log_index int, transaction_hash bytea, address bytea, topics text, data bytea);
create index on bench_log (block_number);`;

const wantedLogs: LogFilter = {
  addresses: new Set([emitterAddress]),
  topics: new Set([transferTopic]),
};

export async function writeRows(
  tx: Transaction,
  blocks: readonly (BlockRef & { readonly timestamp: number; readonly logs: readonly ChainLog[] })[],
): Promise<void> {
  await tx.copy(
    "bench_block",
    ["number", "hash", "parent_hash", "time"],
    blocks.map(({ number, hash, parentHash, timestamp }) => [
      number,
      bytesOf(hash),
      bytesOf(parentHash),
      timestamp,
    ]),
  );
  await tx.copy(
    "bench_log",
    ["block_number", "log_index", "transaction_hash", "address", "topics", "data"],
    logRows(blocks),
  );
}

function* logRows(
  blocks: Parameters<typeof writeRows>[1],
): Iterable<readonly (number | string | Uint8Array)[]> {
  for (const { number, logs } of blocks)
    for (const { logIndex, transactionHash, address, topics, data } of logs)
      yield [number, logIndex, bytesOf(transactionHash), bytesOf(address), topics.join(), bytesOf(data)];
}

/** A deriver that stores these rows. */
export const rowDeriver: Deriver = {
  name: "rows",
  logFilter: () => wantedLogs,
  async added(tx, blocks) {
    await writeRows(
      tx,
      blocks.filter(({ logs }) => logs.length > 0),
    );
    return undefined;
  },
  async removed(tx, blocks) {
    const numbers = blocks.map(({ number }) => number);
    await tx.query("delete from bench_block where number = any($1)", [numbers]);
    await tx.query("delete from bench_log where block_number = any($1)", [numbers]);
    return undefined;
  },
  async rewound(tx, fromBlock) {
    await tx.query("delete from bench_block where number >= $1", [fromBlock]);
    await tx.query("delete from bench_log where block_number >= $1", [fromBlock]);
  },
};
