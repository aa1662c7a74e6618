/** Where the follower of a chain is, as the database keeps it. */

import type { Queries } from "../../base/storage/database.ts";
import type { Hex } from "../rpc/chain.ts";
import { bytesOf, hexOf } from "./bytes.ts";
import type { BlockRef } from "./derive/deriver.ts";

export interface Checkpoint {
  /** Below it nothing is followed. */
  readonly firstBlock: number;
  /** The last one whose records are written. */
  readonly number: number;
  /** Of that block; undefined where it is not known. */
  readonly hash: Hex | undefined;
  /** Why it waits for its operator. */
  readonly stopped: string | undefined;
  /** From where an operator wants everything once more. */
  readonly rewindTo: number | undefined;
  /** Of the follower that may write. */
  readonly epoch: number;
}

/** Somebody else follows this chain now, or an operator has set it elsewhere. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

interface PlaceRow {
  readonly first_block: string;
  readonly block_number: string;
  readonly block_hash: Buffer | null;
  readonly stopped: string | null;
  readonly rewind_to: string | null;
  readonly epoch: string;
}

export async function readCheckpoint(queries: Queries, chainId: number): Promise<Checkpoint | undefined> {
  const [row] = await queries.query<PlaceRow>(
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

/** The highest block whose records are written and can no longer leave; undefined: the chain is not followed. */
export async function lastSettledBlock(queries: Queries, chainId: number): Promise<number | undefined> {
  const [row] = await queries.query<{ readonly number: string }>(
    `select least(block_number, (select min(number) - 1 from follower_block where chain_id = $1),
       (select min(number) - 1 from follower_rewound where chain_id = $1)) as number
     from follower_cursor where chain_id = $1`,
    [chainId],
  );
  return row === undefined ? undefined : Number(row.number);
}

/** Unless it has a place already, the chain will be followed from this block on. */
export async function createCheckpoint(queries: Queries, chainId: number, firstBlock: number): Promise<void> {
  await queries.query(
    `insert into follower_cursor (chain_id, first_block, block_number) values ($1, $2::bigint, $2::bigint - 1)
     on conflict do nothing`,
    [chainId, firstBlock],
  );
}

/** Takes the chain over: who held it before can commit no more. Answers the new epoch. */
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
  /** The highest block that both ways have in common; `from.number` if none has left. */
  readonly ancestor: number;
  /** New ones; those above the settled block are kept. */
  readonly blocks: readonly BlockRef[];
  /** Up to this one no block may leave any more. */
  readonly settled: number;
  /** The newest block that the nodes have told of. */
  readonly head: number;
}

const moveSql = {
  name: "follower-move",
  text: `
update follower_cursor
set block_number = $4, block_hash = $5, head = $6, updated_at = now()
where chain_id = $1 and epoch = $2 and block_number = $3 and stopped is null and rewind_to is null
returning 1`,
};

const forgetSql = {
  name: "follower-forget-blocks",
  text: "delete from follower_block where chain_id = $1 and (number > $2 or number <= $3)",
};

const keepSql = {
  name: "follower-keep-blocks",
  text: `
insert into follower_block (chain_id, number, hash, parent_hash)
select $1, number, hash, parent_hash
from unnest($2::bigint[], $3::bytea[], $4::bytea[]) as block (number, hash, parent_hash)`,
};

/** Writes the new place, in the transaction of what was derived on the way. Throws Superseded. */
export async function advanceCheckpoint(
  tx: Queries,
  { chainId, epoch, from, to, ancestor, blocks, settled, head }: Advance,
): Promise<void> {
  const hash = to.hash === undefined ? null : bytesOf(to.hash);
  const moved = await tx.query(moveSql, [chainId, epoch, from.number, to.number, hash, head]);
  if (moved.length === 0) throw new Superseded(`chain ${chainId} is followed by somebody else`);
  await tx.query(forgetSql, [chainId, ancestor, settled]);
  const kept = blocks.filter(({ number }) => number > settled);
  if (kept.length === 0) return;
  await tx.query(keepSql, [
    chainId,
    kept.map(({ number }) => number),
    kept.map((block) => bytesOf(block.hash)),
    kept.map(({ parentHash }) => bytesOf(parentHash)),
  ]);
}

interface BlockRow {
  readonly number: string;
  readonly hash: Buffer;
  readonly parent_hash: Buffer;
}

/** The blocks that are kept, by number, the highest first. */
export async function readRecentBlocks(queries: Queries, chainId: number): Promise<readonly BlockRef[]> {
  return blocksOf(
    await queries.query<BlockRow>(
      "select number, hash, parent_hash from follower_block where chain_id = $1 order by number desc",
      [chainId],
    ),
  );
}

/** Blocks that were told before a rewind and have not come again yet, the highest first. */
export async function readRewound(queries: Queries, chainId: number): Promise<readonly BlockRef[]> {
  return blocksOf(
    await queries.query<BlockRow>(
      "select number, hash, parent_hash from follower_rewound where chain_id = $1 order by number desc",
      [chainId],
    ),
  );
}

/** Of what was told before a rewind this block and all above it have left the chain. Throws Superseded. */
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
  if (rows.length === 0) throw new Superseded(`chain ${chainId} is followed by somebody else`);
  await tx.query("delete from follower_rewound where chain_id = $1 and number >= $2", [chainId, fromBlock]);
}

/** All up to this block has come again. */
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

/** Tells the operator why this chain is not followed further, until it is set elsewhere. */
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

/** Asks for everything from this block on once more; whoever follows the chain does it. False: the chain is not followed. */
export async function requestRewind(queries: Queries, chainId: number, fromBlock: number): Promise<boolean> {
  const rows = await queries.query(
    "update follower_cursor set rewind_to = $2 where chain_id = $1 returning 1",
    [chainId, fromBlock],
  );
  return rows.length > 0;
}

/** The same, unless more is asked for already, or the chain waits for its operator. */
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

const rememberSql = `
with kept as (
  delete from follower_block where chain_id = $1 and number >= $2 returning chain_id, number, hash, parent_hash
)
insert into follower_rewound (chain_id, number, hash, parent_hash)
select chain_id, number, hash, parent_hash from kept
on conflict (chain_id, number) do update set hash = excluded.hash, parent_hash = excluded.parent_hash`;

/** Sets the place before a block, as an operator asked, and takes away what stopped the follower. */
export async function rewind(tx: Queries, chainId: number, epoch: number, fromBlock: number): Promise<void> {
  const rows = await tx.query(
    `update follower_cursor
     set first_block = least(first_block, $3::bigint), block_number = $3::bigint - 1, rewind_to = null, stopped = null,
       block_hash = (select hash from follower_block where chain_id = $1 and number = $3::bigint - 1), updated_at = now()
     where chain_id = $1 and epoch = $2 returning 1`,
    [chainId, epoch, fromBlock],
  );
  if (rows.length === 0) throw new Superseded(`chain ${chainId} is followed by somebody else`);
  await tx.query(rememberSql, [chainId, fromBlock]);
  await tx.query("delete from follower_parked where chain_id = $1 and block_number >= $2", [
    chainId,
    fromBlock,
  ]);
}

/** What was parked of blocks that left the chain is no matter any more. */
export async function deleteParkedAbove(tx: Queries, chainId: number, above: number): Promise<void> {
  await tx.query("delete from follower_parked where chain_id = $1 and step = 'added' and block_number > $2", [
    chainId,
    above,
  ]);
}
