/** Starts and stops the reading of past blocks for a listener. */
import type { Queries } from "../../base/storage/database.ts";
import { ListenerRejection, NotYetFollowed } from "../listener.ts";

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

/** Throws ListenerRejection and NotYetFollowed. Call this after locking the project's row. */
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
    throw new NotYetFollowed(
      "fromBlock: the host does not know the newest block of the network yet; try again later",
    );
  if (isTooHigh)
    throw new ListenerRejection(
      `fromBlock: ${fromBlock} is above the newest block, ${newest.number}; omit fromBlock to start with the next block`,
    );
  const [reads] = await tx.query<{ readonly count: number }>(countSql, [projectId]);
  if ((reads?.count ?? 0) >= maxPastReadsPerProject)
    throw new ListenerRejection(
      `fromBlock: past blocks are being read for ${maxPastReadsPerProject} listeners of the project, the most at a time; try again when one is done`,
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
