/** The table of listeners for which past blocks are read. */
import { NotServed, RequestRejection } from "../base/request-rejection.ts";
import type { Queries, Transaction } from "../base/storage/database.ts";
import type { ChainTransaction } from "../chain/follower/derive/deriver.ts";
import type { Hex } from "../chain/rpc/chain.ts";
import { type Filters, isNotified, type Timing } from "./listener.ts";

/** Most undelivered notifications of a listener with which its past is read further. */
const maxUndelivered = 10_000;

/** The last block that the follower has committed. */
export interface FollowerCheckpoint {
  readonly number: number;
  readonly hash: Hex;
  /** The newest block that the nodes reported at the last commit. */
  readonly head: number;
}

interface CheckpointRow {
  readonly number: string;
  readonly hash: string | null;
  readonly head: string | null;
}

const checkpointSql = {
  name: "webhook-past-checkpoint",
  text: `select block_number as number, encode(block_hash, 'hex') as hash, head from follower_cursor
         where chain_id = $1 and stopped is null and rewind_to is null`,
};

/** Returns undefined while the follower is stopped, about to restart from a lower block, or has not committed any block. */
export async function readFollowerCheckpoint(
  queries: Queries,
  chainId: number,
): Promise<FollowerCheckpoint | undefined> {
  const [row] = await queries.query<CheckpointRow>(checkpointSql, [chainId]);
  if (row === undefined || row.hash === null || row.head === null) return undefined;
  return { number: Number(row.number), hash: `0x${row.hash}`, head: Number(row.head) };
}

export interface PastRead {
  readonly listenerId: number;
  readonly projectId: number;
  readonly next: number;
}

interface EntryRow {
  readonly listener_id: string;
  readonly project_id: string;
  readonly next_block: string;
}

const entriesSql = {
  name: "webhook-past-entries",
  text: `select listener_id, project_id, next_block from webhook_past past join webhook_listener listener on listener.id = listener_id
         where past.chain_id = $1 and next_block <= $2 and ${isNotified}`,
};

/** Returns the listeners whose past can be read up to this block: those that are not paused by their owner or gone. */
export async function listPastReads(
  queries: Queries,
  chainId: number,
  toBlock: number,
): Promise<readonly PastRead[]> {
  const rows = await queries.query<EntryRow>(entriesSql, [chainId, toBlock]);
  return rows.map(({ listener_id, project_id, next_block }) => ({
    listenerId: Number(listener_id),
    projectId: Number(project_id),
    next: Number(next_block),
  }));
}

const undeliveredSql = {
  name: "webhook-past-undelivered",
  text: `select (${countUpTo("waiting")}) + (${countUpTo("held")}) as undelivered`,
};

/** Counts with an index, and no more than matter. */
function countUpTo(state: string): string {
  return `select count(*) from (
    select from webhook_notification where listener_id = $1 and state = '${state}' limit ${maxUndelivered}) as ${state}`;
}

/** Whether the listener has fewer undelivered notifications than allowed. */
export async function hasRoom(queries: Queries, listenerId: number): Promise<boolean> {
  const [row] = await queries.query<{ readonly undelivered: string }>(undeliveredSql, [listenerId]);
  return Number(row?.undelivered) < maxUndelivered;
}

export interface PastListener extends Timing {
  readonly id: number;
  readonly destination: string;
  readonly filters: Filters;
  /** Changes with each update of the listener. */
  readonly version: string;
}

const listenerSql = {
  name: "webhook-past-listener",
  text: `select host as destination, delivery, confirmations, filters, xmin::text as version from webhook_listener listener where id = $1 and ${isNotified}`,
};

export async function readPastListener(queries: Queries, id: number): Promise<PastListener | undefined> {
  const [row] = await queries.query<Omit<PastListener, "id">>(listenerSql, [id]);
  return row && { ...row, id };
}

const lockSql = {
  name: "webhook-past-lock",
  text: `
select block_number as number, head from follower_cursor
where chain_id = $1 and stopped is null and rewind_to is null
  and exists (select from webhook_past where listener_id = $2 and next_block = $3)
  and exists (select from webhook_listener where id = $2 and xmin::text = $4)
  and ((block_number = $5 and block_hash = $6)
    or exists (select from follower_block where chain_id = $1 and number = $5 and hash = $6)
    or exists (select from follower_history where chain_id = $1 and number = $5 and hash = $6))
for no key update`,
};

/**
 * Locks the follower's checkpoint. Call this after locking the network's row, as the follower does. Returns undefined if the past was read
 * meanwhile by another process, if the listener has changed, or if the block of the `checkpoint` has left the chain.
 */
export async function lockPastRead(
  tx: Transaction,
  chainId: number,
  {
    next,
    listener,
    checkpoint,
  }: { readonly next: number; readonly listener: PastListener; readonly checkpoint: FollowerCheckpoint },
): Promise<Pick<FollowerCheckpoint, "number" | "head"> | undefined> {
  const hash = Buffer.from(checkpoint.hash.slice(2), "hex");
  const [row] = await tx.query<Pick<CheckpointRow, "number" | "head">>(lockSql, [
    chainId,
    listener.id,
    next,
    listener.version,
    checkpoint.number,
    hash,
  ]);
  return row && { number: Number(row.number), head: Number(row.head) };
}

export async function advancePastRead(tx: Transaction, listenerId: number, next: number): Promise<void> {
  await tx.query(
    { name: "webhook-past-move", text: "update webhook_past set next_block = $2 where listener_id = $1" },
    [listenerId, next],
  );
}

const endSql = {
  name: "webhook-past-end",
  text: `with ended as (delete from webhook_past where listener_id = $2)
         update webhook_network set revision = revision + 1 where chain_id = $1`,
};

/** The listener gets notifications of new blocks from the next one on. */
export async function endPastRead(tx: Transaction, chainId: number, listenerId: number): Promise<void> {
  await tx.query(endSql, [chainId, listenerId]);
}

/** Deletes what is left of listeners that were deleted together with their project. */
export async function deleteOrphans(queries: Queries): Promise<void> {
  await queries.query(
    "delete from webhook_past where not exists (select from webhook_listener where id = listener_id)",
  );
}

/* Starts and stops the reading of past blocks for a listener. */

/** Most listeners of a project, across all networks, for which past blocks are being read. */
const maxPastReadsPerProject = 100;

interface NewPastRead {
  readonly chainId: number;
  readonly listenerId: number;
  readonly fromBlock: number;
}

const newestSql = `
select greatest(block_number, head) as number, head is not null as is_known from follower_cursor where chain_id = $1`;

const countSql = `
select count(*)::int as count from webhook_past join webhook_listener listener on listener.id = listener_id where project_id = $1`;

/** Throws RequestRejection and NotServed. Call this after locking the project's row. */
export async function checkPastRead(
  tx: Queries,
  { projectId, chainId }: { readonly projectId: number; readonly chainId: number },
  fromBlock: number,
): Promise<void> {
  const [newest] = await tx.query<{ readonly number: string; readonly is_known: boolean }>(newestSql, [
    chainId,
  ]);
  const isTooHigh = fromBlock > Number(newest?.number);
  if (newest === undefined || (isTooHigh && !newest.is_known))
    throw new NotServed(
      "/fromBlock: the host does not know the newest block of the network yet; try again later",
    );
  if (isTooHigh)
    throw new RequestRejection(
      `/fromBlock: ${fromBlock} is above the newest block, ${newest.number}; omit fromBlock to start with the next block`,
    );
  const [reads] = await tx.query<{ readonly count: number }>(countSql, [projectId]);
  if ((reads?.count ?? 0) >= maxPastReadsPerProject)
    throw new RequestRejection(
      `/fromBlock: past blocks are being read for ${maxPastReadsPerProject} listeners of the project, the most at a time; try again when one is done`,
    );
}

/** Call this after the listener was stored, which locks the network's row: no block is committed in between. */
export async function startPastRead(
  tx: Queries,
  { chainId, listenerId, fromBlock }: NewPastRead,
): Promise<void> {
  await tx.query(
    "insert into webhook_past (listener_id, chain_id, from_block, next_block) values ($1, $2, $3, $3)",
    [listenerId, chainId, fromBlock],
  );
}

/** Call this after the listeners were deleted, which locks the network's row before the rows of its past blocks. */
export async function deletePastReads(tx: Queries, listenerIds: readonly (number | string)[]): Promise<void> {
  await tx.query("delete from webhook_past where listener_id = any($1::bigint[])", [listenerIds]);
}

/**
 * The common ancestor of the old and the new chain is this block or a higher one. Blocks between them have no notifications. During a deep
 * reorganization, this block may itself have left the chain; the next step then lowers it.
 */
const ancestor = `
select coalesce(
  greatest(
    (select max(number) from follower_block where chain_id = $1 and number < $2),
    (select max(number) from follower_history where chain_id = $1 and number < $2),
    (select max(block_number) from webhook_batch
     where chain_id = $1 and block_number < $2 and not is_removal and not is_gone)),
  (select first_block - 1 from follower_cursor where chain_id = $1)) as number`;

const restartSql = {
  name: "webhook-past-restart",
  text: `
update webhook_past set next_block = greatest(from_block, ancestor.number + 1)
from (${ancestor}) as ancestor
where chain_id = $1 and next_block > greatest(from_block, ancestor.number + 1)`,
};

/** Blocks from `lowest` on have left the chain: the blocks that replace them are read again. */
export async function restartPastReads({ query, chainId }: ChainTransaction, lowest: number): Promise<void> {
  await query(restartSql, [chainId, lowest]);
}

/** Blocks left to read, of rows of webhook_past joined with the follower's checkpoint. */
export const blocksLeft = "greatest(block_number - next_block + 1, 0)";

/**
 * SQL of the `Past` of a listener as JSON, or null if it has none. The newest block is below the next one if the follower restarts from a
 * lower block. `toBlock` never is, so that both ends and the position always describe a range.
 */
export function pastOf(listenerId: string): string {
  return `(select json_build_object('fromBlock', from_block, 'nextBlock', next_block, 'toBlock', greatest(block_number, next_block))
    from webhook_past past join follower_cursor cursor on cursor.chain_id = past.chain_id where past.listener_id = ${listenerId})`;
}

const leftSql = {
  name: "webhook-past-left",
  text: `select cursor.chain_id, coalesce(sum(${blocksLeft}), 0)::float8 as blocks
         from follower_cursor cursor left join (
           webhook_past past join webhook_listener listener on listener.id = past.listener_id and ${isNotified}
         ) on past.chain_id = cursor.chain_id
         where cursor.chain_id = any($1::bigint[]) group by cursor.chain_id`,
};

/** By chain id: past blocks left to read, for all listeners together. Those that are paused by their owner or gone have none. */
export async function pastBlocksLeft(
  queries: Queries,
  chainIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await queries.query<{ readonly chain_id: string; readonly blocks: number }>(leftSql, [
    chainIds,
  ]);
  return new Map(rows.map(({ chain_id, blocks }) => [Number(chain_id), blocks]));
}
