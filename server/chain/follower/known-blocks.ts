/** The blocks of the chain that the follower knows: those that may still leave the chain, and the hashes of older ones. */
import type { Queries } from "../../base/storage/database.ts";
import type { Hex } from "../rpc/chain.ts";
import { bytesOf, hexOf } from "./bytes.ts";
import type { BlockId, BlockRef } from "./derive/deriver.ts";

/** What a commit adds to the known blocks, and which of them left the chain. */
export interface NewBlocks {
  readonly to: { readonly number: number; readonly hash: Hex | undefined };
  /** The highest block that the old and the new chain share; the block before the new ones if no block has left the chain. */
  readonly ancestor: number;
  /** The new blocks. */
  readonly blocks: readonly BlockRef[];
  /** The highest settled block: it and the blocks below it can no longer leave the chain. */
  readonly settled: number;
  /** The newest block that the nodes reported. */
  readonly head: number;
}

/** Number of blocks below the head whose hashes are stored: about 10 MB. */
export const historyBlocks = 100_000;

/** Settled blocks become part of the history. */
const settleBlocksSql = {
  name: "follower-settle-blocks",
  text: `
with settled as (
  delete from follower_block where chain_id = $1 and (number > $2 or number <= $3) returning number, hash
), forgotten as (
  delete from follower_history where chain_id = $1 and (number > $2 or number <= $4)
)
insert into follower_history (chain_id, number, hash)
select $1, number, hash from settled where number <= $2
on conflict (chain_id, number) do update set hash = excluded.hash`,
};

const storeHistorySql = {
  name: "follower-keep-history",
  text: `
insert into follower_history (chain_id, number, hash)
select $1, number, hash from unnest($2::bigint[], $3::bytea[]) as block (number, hash)
on conflict (chain_id, number) do update set hash = excluded.hash`,
};

const storeBlocksSql = {
  name: "follower-keep-blocks",
  text: `
insert into follower_block (chain_id, number, hash, parent_hash)
select $1, number, hash, parent_hash
from unnest($2::bigint[], $3::bytea[], $4::bytea[]) as block (number, hash, parent_hash)`,
};

/** Stores the new blocks, and deletes those that left the chain and those that are too old. */
export async function storeKnownBlocks(
  tx: Queries,
  chainId: number,
  { to, ancestor, blocks, settled, head }: NewBlocks,
): Promise<void> {
  const forgotten = head - historyBlocks;
  await tx.query(settleBlocksSql, [chainId, ancestor, settled, forgotten]);
  const { number, hash } = to;
  const old = hash === undefined ? [] : [...blocks, { number, hash }];
  await storeHistory(
    tx,
    chainId,
    old.filter(({ number }) => number <= settled && number > forgotten),
  );
  const recent = blocks.filter(({ number }) => number > settled);
  if (recent.length === 0) return;
  await tx.query(storeBlocksSql, [
    chainId,
    recent.map(({ number }) => number),
    recent.map((block) => bytesOf(block.hash)),
    recent.map(({ parentHash }) => bytesOf(parentHash)),
  ]);
}

async function storeHistory(tx: Queries, chainId: number, blocks: readonly BlockId[]): Promise<void> {
  // The last block of a range may have logs, too.
  const hashes = new Map(blocks.map(({ number, hash }) => [number, bytesOf(hash)]));
  if (hashes.size > 0) await tx.query(storeHistorySql, [chainId, [...hashes.keys()], [...hashes.values()]]);
}

export interface BlockRow {
  readonly number: string;
  readonly hash: Buffer;
}

/** Returns the blocks that may still leave the chain, highest first. */
export async function readRecentBlocks(queries: Queries, chainId: number): Promise<readonly BlockRef[]> {
  const rows = await queries.query<BlockRow & { readonly parent_hash: Buffer }>(
    "select number, hash, parent_hash from follower_block where chain_id = $1 order by number desc",
    [chainId],
  );
  return rows.map((row) => ({ ...blockOf(row), parentHash: hexOf(row.parent_hash) }));
}

const historySql = `
select number, hash from follower_history where chain_id = $1 and number >= $2 and number < $3 order by number desc`;

/** Returns the stored blocks below the window, highest first. */
export async function readHistory(
  queries: Queries,
  chainId: number,
  { from, below }: { readonly from: number; readonly below: number },
): Promise<readonly BlockId[]> {
  return (await queries.query<BlockRow>(historySql, [chainId, from, below])).map(blockOf);
}

export function blockOf({ number, hash }: BlockRow): BlockId {
  return { number: Number(number), hash: hexOf(hash) };
}
