/** What the database keeps of a chain's follower: its checkpoint, the blocks that it knows, and those that are derived again. */
import type { Queries } from "../../base/storage/database.ts";
import type { Hex } from "../rpc/chain.ts";
import { bytesOf, hexOf } from "../rpc/hex.ts";
import type { BlockId, BlockRef } from "./derive/blocks.ts";
import type { Deriver } from "./derive/deriver.ts";

export interface Checkpoint {
  /** The first block that is followed. */
  readonly firstBlock: number;
  /** The last block whose records are committed. */
  readonly number: number;
  /** Hash of that block; undefined if unknown. */
  readonly hash: Hex | undefined;
  /** Why the follower waits for the operator; undefined while it runs. */
  readonly stopped: string | undefined;
  /** The block from which an operator requested a restart. */
  readonly rewindTo: number | undefined;
  /** Epoch of the follower that may write. A follower with an older epoch has been superseded. */
  readonly epoch: number;
  /** Whether a node has ever reported a safe or a finalized block. */
  readonly reportsFinality: boolean;
}

/** Another replica follows this chain now, or an operator has moved its checkpoint. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

interface CheckpointRow {
  readonly reports_finality: boolean;
  readonly first_block: string;
  readonly block_number: string;
  readonly block_hash: Buffer | null;
  readonly stopped: string | null;
  readonly rewind_to: string | null;
  readonly epoch: string;
}

export async function readCheckpoint(queries: Queries, chainId: number): Promise<Checkpoint | undefined> {
  const [row] = await queries.query<CheckpointRow>(
    `select first_block, block_number, block_hash, stopped, rewind_to, epoch, reports_finality
     from follower_cursor where chain_id = $1`,
    [chainId],
  );
  if (row === undefined) return undefined;
  return {
    firstBlock: Number(row.first_block),
    number: Number(row.block_number),
    hash: row.block_hash === null ? undefined : hexOf(row.block_hash),
    stopped: row.stopped ?? undefined,
    rewindTo: row.rewind_to === null ? undefined : Number(row.rewind_to),
    epoch: Number(row.epoch),
    reportsFinality: row.reports_finality,
  };
}

/** Returns the highest committed block that can no longer leave the chain, or undefined if the chain is not followed. */
export async function lastSettledBlock(queries: Queries, chainId: number): Promise<number | undefined> {
  const [row] = await queries.query<{ readonly number: string }>(
    `select least(block_number, (select min(number) - 1 from follower_block where chain_id = $1),
       (select min(number) - 1 from follower_rewound where chain_id = $1)) as number
     from follower_cursor where chain_id = $1`,
    [chainId],
  );
  return row === undefined ? undefined : Number(row.number);
}

/** Creates the checkpoint of a chain that has none, to follow it from this block. */
export async function createCheckpoint(queries: Queries, chainId: number, firstBlock: number): Promise<void> {
  await queries.query(
    `insert into follower_cursor (chain_id, first_block, block_number) values ($1, $2::bigint, $2::bigint - 1)
     on conflict do nothing`,
    [chainId, firstBlock],
  );
}

/** Takes the chain over: earlier followers can no longer commit. Returns the new epoch. */
export async function takeOver(queries: Queries, chainId: number, replicaId?: string): Promise<number> {
  const [row] = await queries.query<{ epoch: string }>(
    "update follower_cursor set epoch = epoch + 1, replica_id = $2 where chain_id = $1 returning epoch",
    [chainId, replicaId ?? null],
  );
  return Number(row?.epoch);
}

export interface Advance extends NewBlocks {
  readonly chainId: number;
  readonly epoch: number;
  readonly from: Pick<Checkpoint, "number">;
}

const advanceSql = {
  name: "follower-move",
  text: `
update follower_cursor
set block_number = $4, block_hash = $5, head = $6, updated_at = now()
where chain_id = $1 and epoch = $2 and block_number = $3 and stopped is null and rewind_to is null
returning 1`,
};

/** Writes the new checkpoint, in the transaction of the derived records. Throws Superseded. */
export async function advanceCheckpoint(
  tx: Queries,
  { chainId, epoch, from, ...blocks }: Advance,
): Promise<void> {
  const { to, head } = blocks;
  const hash = to.hash === undefined ? null : bytesOf(to.hash);
  const updated = await tx.query(advanceSql, [chainId, epoch, from.number, to.number, hash, head]);
  if (updated.length === 0) throw new Superseded(`chain ${chainId} is followed by another process`);
  await storeKnownBlocks(tx, chainId, blocks);
}

/** Throws Superseded if the follower may no longer write, and otherwise locks the checkpoint for the transaction. */
async function requireEpoch(tx: Queries, chainId: number, epoch: number): Promise<void> {
  const rows = await tx.query(
    "select 1 from follower_cursor where chain_id = $1 and epoch = $2 and rewind_to is null for update",
    [chainId, epoch],
  );
  if (rows.length === 0) throw new Superseded(`chain ${chainId} is followed by another process`);
}

/** Throws Superseded. */
export async function recordFinality(
  tx: Queries,
  {
    chainId,
    epoch,
    isReported,
  }: { readonly chainId: number; readonly epoch: number; readonly isReported: boolean },
): Promise<void> {
  const rows = await tx.query(
    `update follower_cursor set reports_finality = reports_finality or $3
     where chain_id = $1 and epoch = $2 and rewind_to is null returning 1`,
    [chainId, epoch, isReported],
  );
  if (rows.length === 0) throw new Superseded(`chain ${chainId} is followed by another process`);
}

/** Stops the follower until an operator restarts it, and stores the reason for the operator. */
export async function markStopped(
  queries: Queries,
  chainId: number,
  epoch: number,
  reason: string,
): Promise<void> {
  await queries.query("update follower_cursor set stopped = $3 where chain_id = $1 and epoch = $2", [
    chainId,
    epoch,
    reason,
  ]);
}

/** Requests a restart from this block, which the leading follower performs. Returns false if the chain is not followed. */
export async function requestRewind(queries: Queries, chainId: number, fromBlock: number): Promise<boolean> {
  const rows = await queries.query(
    "update follower_cursor set rewind_to = $2 where chain_id = $1 returning 1",
    [chainId, fromBlock],
  );
  return rows.length > 0;
}

/** Like `requestRewind`, but does nothing if a restart from a lower block was already requested or the follower has stopped. */
export async function requestRewindAtLeastTo(
  queries: Queries,
  chainId: number,
  fromBlock: number,
): Promise<void> {
  await queries.query(
    `update follower_cursor set rewind_to = $2
     where chain_id = $1 and stopped is null and (rewind_to is null or rewind_to > $2)`,
    [chainId, fromBlock],
  );
}

/** Deletes skipped logs of blocks that have left the chain. */
export async function deleteSkippedAbove(tx: Queries, chainId: number, above: number): Promise<void> {
  await tx.query(
    "delete from follower_skipped where chain_id = $1 and step = 'added' and block_number > $2",
    [chainId, above],
  );
}

/* The blocks of the chain that the follower knows: those that may still leave the chain, and the hashes of older ones. */

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
async function storeKnownBlocks(
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
async function readHistory(
  queries: Queries,
  chainId: number,
  { from, below }: { readonly from: number; readonly below: number },
): Promise<readonly BlockId[]> {
  return (await queries.query<BlockRow>(historySql, [chainId, from, below])).map(blockOf);
}

function blockOf({ number, hash }: BlockRow): BlockId {
  return { number: Number(number), hash: hexOf(hash) };
}

export interface StoredBlocksOptions {
  readonly chainId: number;
  /** Blocks that may still leave the chain. */
  readonly recent: Iterable<BlockId>;
  readonly derivers: readonly Deriver[];
}

/** Returns the blocks from `from` up to, but not including, `below` that the follower or a deriver stores, highest first. */
export async function readStoredBlocks(
  queries: Queries,
  { chainId, recent, derivers }: StoredBlocksOptions,
  range: { readonly from: number; readonly below: number },
): Promise<readonly BlockId[]> {
  const inWindow = [...recent].filter(({ number }) => number >= range.from && number < range.below);
  const lists = await Promise.all([
    readHistory(queries, chainId, range),
    ...derivers.map((deriver) => deriver.blocksWithRecords?.(queries, chainId, range) ?? []),
  ]);
  const blocks = new Map([...inWindow, ...lists.flat()].map((block) => [block.hash, block]));
  return [...blocks.values()].toSorted((a, b) => b.number - a.number);
}

/* The rewound blocks of a chain: committed before a rewind, and not added again since. */

/** Returns the rewound blocks, highest first. */
export async function readRewound(queries: Queries, chainId: number): Promise<readonly BlockId[]> {
  const rows = await queries.query<BlockRow>(
    "select number, hash from follower_rewound where chain_id = $1 order by number desc",
    [chainId],
  );
  return rows.map(blockOf);
}

/** Deletes the rewound blocks from this one on, because they have left the chain. Throws Superseded. */
export async function dropRewoundFrom(
  tx: Queries,
  chainId: number,
  epoch: number,
  fromBlock: number,
): Promise<void> {
  await requireEpoch(tx, chainId, epoch);
  await tx.query("delete from follower_rewound where chain_id = $1 and number >= $2", [chainId, fromBlock]);
}

/** Deletes the rewound blocks up to this one, because they were added again. */
export async function dropRewoundThrough(tx: Queries, chainId: number, toBlock: number): Promise<void> {
  await tx.query("delete from follower_rewound where chain_id = $1 and number <= $2", [chainId, toBlock]);
}

const moveToRewoundSql = `
with recent as (
  delete from follower_block where chain_id = $1 and number >= $2 returning number, hash
), old as (
  delete from follower_history where chain_id = $1 and number >= $2 returning number, hash
)
insert into follower_rewound (chain_id, number, hash)
select distinct on (number) $1, number, hash
from (
  select 1 as rank, number, hash from recent
  union all select 2, number, hash from old
  union all select 3, number, hash from unnest($3::bigint[], $4::bytea[]) as other (number, hash)
  union all select 4, block_number, block_hash from follower_skipped
    where chain_id = $1 and block_number >= $2 and step = 'added'
) as block
order by number, rank
on conflict (chain_id, number) do nothing`;

export interface Rewind {
  readonly chainId: number;
  readonly epoch: number;
  readonly fromBlock: number;
  /** Blocks from `fromBlock` on to which records belong. The follower may have forgotten them. */
  readonly blocksWithRecords: readonly BlockId[];
}

/** Moves the checkpoint to the block before `fromBlock`, on an operator's request, and clears the reason of a stop. */
export async function rewindBlocks(
  tx: Queries,
  { chainId, epoch, fromBlock, blocksWithRecords }: Rewind,
): Promise<void> {
  const rows = await tx.query(
    `update follower_cursor
     set first_block = least(first_block, $3::bigint), block_number = $3::bigint - 1, rewind_to = null, stopped = null,
       block_hash = coalesce((select hash from follower_block where chain_id = $1 and number = $3::bigint - 1),
         (select hash from follower_history where chain_id = $1 and number = $3::bigint - 1)), updated_at = now()
     where chain_id = $1 and epoch = $2 returning 1`,
    [chainId, epoch, fromBlock],
  );
  if (rows.length === 0) throw new Superseded(`chain ${chainId} is followed by another process`);
  await tx.query(moveToRewoundSql, [
    chainId,
    fromBlock,
    blocksWithRecords.map(({ number }) => number),
    blocksWithRecords.map(({ hash }) => bytesOf(hash)),
  ]);
  // Records that were skipped when blocks were added remain until the blocks are added again.
  await tx.query(
    "delete from follower_skipped where chain_id = $1 and block_number >= $2 and step = 'removed'",
    [chainId, fromBlock],
  );
}
