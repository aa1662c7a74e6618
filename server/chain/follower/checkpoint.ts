/** The checkpoint of a chain's follower in the database. */

import type { Queries } from "../../base/storage/database.ts";
import type { Hex } from "../rpc/chain.ts";
import { bytesOf, hexOf } from "./bytes.ts";
import type { BlockRef } from "./derive/deriver.ts";

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
}

/** Another replica follows this chain now, or an operator has moved its checkpoint. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

interface CheckpointRow {
  readonly first_block: string;
  readonly block_number: string;
  readonly block_hash: Buffer | null;
  readonly stopped: string | null;
  readonly rewind_to: string | null;
  readonly epoch: string;
}

export async function readCheckpoint(queries: Queries, chainId: number): Promise<Checkpoint | undefined> {
  const [row] = await queries.query<CheckpointRow>(
    "select first_block, block_number, block_hash, stopped, rewind_to, epoch from follower_cursor where chain_id = $1",
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
export async function takeOver(queries: Queries, chainId: number): Promise<number> {
  const [row] = await queries.query<{ epoch: string }>(
    "update follower_cursor set epoch = epoch + 1 where chain_id = $1 returning epoch",
    [chainId],
  );
  return Number(row?.epoch);
}

export interface Advance {
  readonly chainId: number;
  readonly epoch: number;
  readonly from: Pick<Checkpoint, "number">;
  readonly to: { readonly number: number; readonly hash: Hex | undefined };
  /** The highest block that the old and the new chain share; `from.number` if no block has left the chain. */
  readonly ancestor: number;
  /** The new blocks. Only blocks above `settled` are stored. */
  readonly blocks: readonly BlockRef[];
  /** The highest settled block: it and the blocks below it can no longer leave the chain. */
  readonly settled: number;
  /** The newest block that the nodes reported. */
  readonly head: number;
}

const advanceSql = {
  name: "follower-move",
  text: `
update follower_cursor
set block_number = $4, block_hash = $5, head = $6, updated_at = now()
where chain_id = $1 and epoch = $2 and block_number = $3 and stopped is null and rewind_to is null
returning 1`,
};

const deleteBlocksSql = {
  name: "follower-forget-blocks",
  text: "delete from follower_block where chain_id = $1 and (number > $2 or number <= $3)",
};

const storeBlocksSql = {
  name: "follower-keep-blocks",
  text: `
insert into follower_block (chain_id, number, hash, parent_hash)
select $1, number, hash, parent_hash
from unnest($2::bigint[], $3::bytea[], $4::bytea[]) as block (number, hash, parent_hash)`,
};

/** Writes the new checkpoint, in the transaction of the derived records. Throws Superseded. */
export async function advanceCheckpoint(
  tx: Queries,
  { chainId, epoch, from, to, ancestor, blocks, settled, head }: Advance,
): Promise<void> {
  const hash = to.hash === undefined ? null : bytesOf(to.hash);
  const updated = await tx.query(advanceSql, [chainId, epoch, from.number, to.number, hash, head]);
  if (updated.length === 0) throw new Superseded(`chain ${chainId} is followed by another process`);
  await tx.query(deleteBlocksSql, [chainId, ancestor, settled]);
  const recent = blocks.filter(({ number }) => number > settled);
  if (recent.length === 0) return;
  await tx.query(storeBlocksSql, [
    chainId,
    recent.map(({ number }) => number),
    recent.map((block) => bytesOf(block.hash)),
    recent.map(({ parentHash }) => bytesOf(parentHash)),
  ]);
}

interface BlockRow {
  readonly number: string;
  readonly hash: Buffer;
  readonly parent_hash: Buffer;
}

/** Returns the blocks that may still leave the chain, highest first. */
export async function readRecentBlocks(queries: Queries, chainId: number): Promise<readonly BlockRef[]> {
  return blocksOf(
    await queries.query<BlockRow>(
      "select number, hash, parent_hash from follower_block where chain_id = $1 order by number desc",
      [chainId],
    ),
  );
}

/** Returns the rewound blocks: committed before a rewind and not added again since. Highest first. */
export async function readRewound(queries: Queries, chainId: number): Promise<readonly BlockRef[]> {
  return blocksOf(
    await queries.query<BlockRow>(
      "select number, hash, parent_hash from follower_rewound where chain_id = $1 order by number desc",
      [chainId],
    ),
  );
}

/** Deletes the rewound blocks from this one on, because they have left the chain. Throws Superseded. */
export async function dropRewoundFrom(
  tx: Queries,
  chainId: number,
  epoch: number,
  fromBlock: number,
): Promise<void> {
  const rows = await tx.query(
    "select 1 from follower_cursor where chain_id = $1 and epoch = $2 and rewind_to is null for update",
    [chainId, epoch],
  );
  if (rows.length === 0) throw new Superseded(`chain ${chainId} is followed by another process`);
  await tx.query("delete from follower_rewound where chain_id = $1 and number >= $2", [chainId, fromBlock]);
}

/** Deletes the rewound blocks up to this one, because they were added again. */
export async function dropRewoundThrough(tx: Queries, chainId: number, toBlock: number): Promise<void> {
  await tx.query("delete from follower_rewound where chain_id = $1 and number <= $2", [chainId, toBlock]);
}

function blocksOf(rows: readonly BlockRow[]): readonly BlockRef[] {
  return rows.map(({ number, hash, parent_hash }) => ({
    number: Number(number),
    hash: hexOf(hash),
    parentHash: hexOf(parent_hash),
  }));
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

const moveToRewoundSql = `
with recent as (
  delete from follower_block where chain_id = $1 and number >= $2 returning chain_id, number, hash, parent_hash
)
insert into follower_rewound (chain_id, number, hash, parent_hash)
select chain_id, number, hash, parent_hash from recent
on conflict (chain_id, number) do update set hash = excluded.hash, parent_hash = excluded.parent_hash`;

/** Moves the checkpoint to the block before `fromBlock`, on an operator's request, and clears the reason of a stop. */
export async function rewind(tx: Queries, chainId: number, epoch: number, fromBlock: number): Promise<void> {
  const rows = await tx.query(
    `update follower_cursor
     set first_block = least(first_block, $3::bigint), block_number = $3::bigint - 1, rewind_to = null, stopped = null,
       block_hash = (select hash from follower_block where chain_id = $1 and number = $3::bigint - 1), updated_at = now()
     where chain_id = $1 and epoch = $2 returning 1`,
    [chainId, epoch, fromBlock],
  );
  if (rows.length === 0) throw new Superseded(`chain ${chainId} is followed by another process`);
  await tx.query(moveToRewoundSql, [chainId, fromBlock]);
  await tx.query("delete from follower_parked where chain_id = $1 and block_number >= $2", [
    chainId,
    fromBlock,
  ]);
}

/** Deletes parked logs of blocks that have left the chain. */
export async function deleteParkedAbove(tx: Queries, chainId: number, above: number): Promise<void> {
  await tx.query("delete from follower_parked where chain_id = $1 and step = 'added' and block_number > $2", [
    chainId,
    above,
  ]);
}
