/** A deriver that records logs and steps in the database. The steps are a history that reorganizations do not undo. */

import type { Queries } from "../../server/base/storage/database.ts";
import type { Deriver } from "../../server/chain/follower/derive/deriver.ts";
import type { LogFilter } from "../../server/chain/follower/derive/log-filter.ts";
import { bytesOf } from "../../server/chain/rpc/hex.ts";

export const recordingTables = `
create table recorded_log (chain_id bigint, block int, block_hash bytea, log_index int, data bytea);
create index on recorded_log (block_hash);
create table recorded_step (id bigint generated always as identity, what text, block int, block_hash bytea);`;

export function recordingDeriver(filter: LogFilter): Deriver {
  return {
    name: "recorder",
    logFilter: () => filter,
    async added(tx, blocks) {
      await tx.copy(
        "recorded_log",
        ["chain_id", "block", "block_hash", "log_index", "data"],
        blocks.flatMap(({ number, hash, logs }) =>
          logs.map(({ logIndex, data }) => [tx.chainId, number, bytesOf(hash), logIndex, bytesOf(data)]),
        ),
      );
      await tx.copy(
        "recorded_step",
        ["what", "block", "block_hash"],
        blocks.map(({ number, hash }) => ["added", number, bytesOf(hash)]),
      );
      return undefined;
    },
    async removed(tx, blocks) {
      const hashes = blocks.map(({ hash }) => bytesOf(hash));
      await tx.query("delete from recorded_log where block_hash = any($1)", [hashes]);
      await tx.copy(
        "recorded_step",
        ["what", "block", "block_hash"],
        blocks.map(({ number, hash }) => ["removed", number, bytesOf(hash)]),
      );
      return undefined;
    },
    async rewound(tx, fromBlock) {
      await tx.query("delete from recorded_log where chain_id = $1 and block >= $2", [tx.chainId, fromBlock]);
      await tx.query("insert into recorded_step (what, block) values ('rewound', $1)", [fromBlock]);
    },
  };
}

/** The recorded logs, in the form of `EventChain`. */
export async function recordedLogs(queries: Queries): Promise<readonly string[]> {
  const rows = await queries.query<{ line: string }>(
    `select block || ' 0x' || encode(block_hash, 'hex') || ' ' || log_index || ' 0x' || encode(data, 'hex') as line
     from recorded_log order by block, log_index`,
  );
  return rows.map(({ line }) => line);
}

/**
 * Describes every violation: an addition on top of a wrong block, a removal of a block that was not the newest, and a different
 * block in place of one from before a rewind that was not removed.
 */
export async function violationsOf(queries: Queries): Promise<readonly string[]> {
  const rows = await queries.query<{ what: string; block: number; hash: string | null }>(
    "select what, block, encode(block_hash, 'hex') as hash from recorded_step order by id",
  );
  const chain: { readonly block: number; readonly hash: string | null }[] = [];
  const breaches: string[] = [];
  const rewound = new Map<number, string | null>();
  for (const { what, block, hash } of rows) {
    const top = chain.at(-1);
    if (what === "removed" && rewound.get(block) === hash) rewound.delete(block);
    else if (what === "removed") {
      // A block without logs may have been omitted when it was added.
      if (chain.every((other) => other.hash !== hash)) continue;
      if (top?.hash !== hash) breaches.push(`block ${block} was removed while ${top?.block} was the newest`);
      chain.pop();
    } else if (what === "added") {
      if (top !== undefined && top.block >= block)
        breaches.push(`block ${block} was added above ${top.block}`);
      if ((rewound.get(block) ?? hash) !== hash)
        breaches.push(`block ${block} came in the place of one that was not taken back`);
      rewound.delete(block);
      chain.push({ block, hash });
    } else
      for (let last = chain.at(-1); last !== undefined && last.block >= block; last = chain.at(-1)) {
        rewound.set(last.block, last.hash);
        chain.pop();
      }
  }
  return breaches;
}
