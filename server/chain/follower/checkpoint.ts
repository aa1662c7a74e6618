/** The checkpoint of a chain's follower in the database. */

import type { Queries } from "../../base/storage/database.ts";
import type { Hex } from "../rpc/chain.ts";
import { bytesOf, hexOf } from "./bytes.ts";
import { type NewBlocks, storeKnownBlocks } from "./known-blocks.ts";

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
export async function takeOver(queries: Queries, chainId: number): Promise<number> {
  const [row] = await queries.query<{ epoch: string }>(
    "update follower_cursor set epoch = epoch + 1 where chain_id = $1 returning epoch",
    [chainId],
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
export async function requireEpoch(tx: Queries, chainId: number, epoch: number): Promise<void> {
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
