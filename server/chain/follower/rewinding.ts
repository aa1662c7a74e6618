/** Restarts a chain from a block, on an operator's request, and undoes the blocks that have left the chain by then. */
import { hashesOf } from "./ancestor.ts";
import { deleteSkippedAbove } from "./checkpoint.ts";
import { derive, maxRemovedBlocks } from "./derive/derive.ts";
import type { BlockId, BlockRef } from "./derive/deriver.ts";
import type { Following } from "./following.ts";
import { dropRewoundFrom, rewindBlocks } from "./rewound-blocks.ts";

/**
 * The stored blocks from the requested one on are compared with the chain when their numbers are reached again. If the follower
 * stopped, that includes all blocks that it knows.
 */
export async function rewind(following: Following, requestedBlock: number): Promise<void> {
  const { chainId, name, position } = following;
  const { database, events, derivers } = following.dependencies;
  const { stopped, firstBlock, number } = position.checkpoint;
  const lowest =
    stopped === undefined ? undefined : (await following.storedBlocks(firstBlock, number + 1)).at(-1)?.number;
  const fromBlock = Math.min(requestedBlock, lowest ?? requestedBlock);
  await database.transaction(async (tx) => {
    const range = { from: fromBlock, below: number + 1 };
    const blocksWithRecords: BlockId[] = [];
    for (const deriver of derivers)
      blocksWithRecords.push(...((await deriver.blocksWithRecords?.(tx, chainId, range)) ?? []));
    await rewindBlocks(tx, { chainId, epoch: position.epoch, fromBlock, blocksWithRecords });
    for (const deriver of derivers) await deriver.rewound({ ...tx, chainId, isRecent: false }, fromBlock);
  });
  events.rewound(name, fromBlock);
  await position.read(database);
}

/** Undoes the rewound blocks that have left the chain, before `blocks` are added in their place. */
export async function undoRewound(
  following: Following,
  reapplied: readonly BlockId[],
  {
    blocks,
    head,
    isArchived,
  }: { readonly blocks: readonly BlockRef[]; readonly head: number; readonly isArchived?: boolean },
): Promise<void> {
  const { chainId, name, position, archive } = following;
  const { database, source, events, follow } = following.dependencies;
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
  const unknown = reapplied.map(({ number }) => number).filter((number) => !hashes.has(number));
  if (isArchived !== true)
    for (const [number, hash] of await hashesOf(source, unknown)) hashes.set(number, hash);
  const lowest = reapplied.findLast(({ number, hash }) => (hashes.get(number) ?? hash) !== hash)?.number;
  if (lowest === undefined) return;
  const removed = position.rewound.filter(({ number }) => number >= lowest);
  for (let start = 0; start < removed.length; start += maxRemovedBlocks) {
    const some = removed.slice(start, start + maxRemovedBlocks);
    const from = some.at(-1)?.number ?? lowest;
    const step = { chainId, removed: some, added: [], head, includesEmptyBlocks: false };
    const { after } = await derive(database, step, await following.deriverFilters(), async (tx) => {
      await dropRewoundFrom(tx, chainId, position.epoch, from);
      await deleteSkippedAbove(tx, chainId, from - 1);
      await archive?.removeAbove(tx, from - 1);
    });
    for (const callback of after) callback();
    position.rewound = position.rewound.filter(({ number }) => number < from);
  }
  events.reorganised(name, removed.length, follow.window);
}
