/** Moves a follower: forward to a new head, back when blocks leave the chain or an operator requests blocks again. */
import type { Hex } from "../rpc/chain.ts";
import { findBranch, findLostBlocks, hashesOf, ReorganizationTooDeep } from "./branch.ts";
import {
  advanceCheckpoint,
  deleteSkippedAbove,
  dropRewoundFrom,
  dropRewoundThrough,
  historyBlocks,
  type NewBlocks,
  rewindBlocks,
} from "./checkpoint.ts";
import type { BlockId, BlockRef } from "./derive/blocks.ts";
import {
  areFiltersCurrent,
  type ChainStep,
  type DeriverFilter,
  deleteOutdatedSkipped,
  derive,
  maxRemovedBlocks,
} from "./derive/derive.ts";
import { unionOfFilters } from "./derive/log-filter.ts";
import type { FollowerState } from "./follower-state.ts";
import { backfill, readHeadBlocks } from "./read-blocks.ts";
import { type Header, InvalidResponse, type Source } from "./source.ts";

/** Throws ReorganizationTooDeep if blocks left the chain that are no longer recent. */
export async function advanceTo(state: FollowerState, head: Header, signal: AbortSignal): Promise<void> {
  const { chainId, name, position } = state;
  const { number, hash } = head;
  if (hash === position.checkpoint.hash || position.recent.get(number)?.hash === hash) return;
  const { source, events, follow } = state.dependencies;
  const { window, checkBloom } = follow;
  // Blocks below the window cannot leave the chain.
  if (number - window > position.checkpoint.number + 1) await catchUp(state, head, number - window, signal);
  if (signal.aborted) return;
  const hashes = new Map<number, Hex>([...position.recent].map(([number, { hash }]) => [number, hash]));
  const { ancestor, headers } = await findBranch(source, head, position.checkpoint, hashes);
  const removed = [...position.recent.values()].filter(({ number }) => number > ancestor).reverse();
  if (removed.length > maxRemovedBlocks) {
    if (await undoToCommonAncestor(state, head)) await advanceTo(state, head, signal);
    return;
  }
  if (removed.length > 0 && !(await isReorganizationConfirmed(state))) return;
  const deriverFilters = await state.deriverFilters();
  const filter = unionOfFilters(deriverFilters.map((each) => each.filter));
  const added = await readHeadBlocks(source, headers, { filter, checkBloom });
  if (!(await areFiltersCurrent(deriverFilters, { chainId, isRecent: true })))
    return advanceTo(state, head, signal);
  const step: ChainStep = { chainId, removed, added, head: number, includesEmptyBlocks: true };
  await commit(state, step, deriverFilters, {
    to: head,
    ancestor,
    blocks: headers,
    settled: number - window,
    head: number,
  });
  if (removed.length > 0) events.reorganized(name, removed.length, window);
}

async function catchUp(state: FollowerState, head: Header, to: number, signal: AbortSignal): Promise<void> {
  const { chainId, position, planner } = state;
  const { source } = state.dependencies;
  while (position.checkpoint.number < to && !signal.aborted) {
    const deriverFilters = await state.deriverFilters({ isRecent: false });
    const filter = unionOfFilters(deriverFilters.map((each) => each.filter));
    const from = position.checkpoint.number + 1;
    for await (const range of backfill(source, { from, to, filter, planner })) {
      if (signal.aborted) return;
      if (!(await areFiltersCurrent(deriverFilters, { chainId, isRecent: false }))) break;
      const { hash, number } = position.checkpoint;
      if (hash !== undefined && range.parentHash !== hash) {
        if (!(await hasLeftChain(source, { number, hash })))
          throw new InvalidResponse("the blocks do not form a chain");
        await undoToCommonAncestor(state, head);
        break;
      }
      const step: ChainStep = {
        chainId,
        removed: [],
        added: range.blocks,
        head: head.number,
        includesEmptyBlocks: false,
      };
      await commit(state, step, deriverFilters, {
        to: range.to,
        ancestor: number,
        blocks: range.blocks,
        settled: range.to.number,
        head: head.number,
      });
      await state.reportFinality();
    }
  }
}

/* Blocks leave the chain: confirms that with the other nodes, and undoes the blocks. */

/** Asks the other nodes before blocks are undone, so that a node that lags or lies cannot cause a reorganization. */
async function isReorganizationConfirmed({ dependencies, position }: FollowerState): Promise<boolean> {
  const { number, hash } = position.checkpoint;
  if (hash === undefined) return true;
  const { source } = dependencies;
  const { yes, no } = await source.vote({ number, hash });
  if (yes <= no) return true;
  source.demoteLast("it has removed blocks that the other nodes still have");
  return false;
}

async function hasLeftChain(source: Source, { number, hash }: BlockId): Promise<boolean> {
  const [header] = await source.headersByNumber([number]);
  return header?.hash !== hash;
}

/**
 * Undoes the blocks that left the chain, down to the highest stored block that is still part of it. Returns false if nothing was
 * undone, because the other nodes disagree or the node is only behind. Throws ReorganizationTooDeep.
 */
export async function undoToCommonAncestor(state: FollowerState, head: Header): Promise<boolean> {
  if (!(await isReorganizationConfirmed(state))) return false;
  const { chainId, name, position } = state;
  const { source, follow, events } = state.dependencies;
  const { number, firstBlock } = position.checkpoint;
  const { ancestor, lost } = await findLostBlocks(source, head.number, position.checkpoint, (from, below) =>
    state.storedBlocks(from, below),
  );
  if (lost.every((block) => block.number > head.number)) return false;
  const lowest = lost.at(-1)?.number ?? number;
  if (ancestor === undefined && firstBlock < Math.max(number, head.number) - historyBlocks)
    throw new ReorganizationTooDeep(
      `all blocks that the follower knows, from ${lowest} on, left the chain; to continue, run: platform follow reindex ${name} --from ${lowest}`,
    );
  const to = ancestor ?? { number: firstBlock - 1, hash: undefined };
  for (let start = 0; start < lost.length; start += maxRemovedBlocks) {
    const removed = lost.slice(start, start + maxRemovedBlocks);
    // Until the last step, a block that left the chain as well.
    const below = lost[start + maxRemovedBlocks] ?? to;
    const step = { chainId, removed, added: [], head: head.number, includesEmptyBlocks: false };
    await commit(state, step, await state.deriverFilters(), {
      to: below,
      ancestor: below.number,
      blocks: [],
      settled: to.number - follow.window,
      head: head.number,
    });
  }
  events.reorganized(name, number - to.number, follow.window);
  return true;
}

/* Commits changes of the chain with everything that belongs to them: derived records and the checkpoint. */

async function commit(
  state: FollowerState,
  step: ChainStep,
  deriverFilters: readonly DeriverFilter[],
  progress: NewBlocks,
): Promise<void> {
  const { chainId, name, position } = state;
  const { database, events, health } = state.dependencies;
  const { epoch, checkpoint: from } = position;
  const reapplied = position.rewound.filter(({ number }) => number <= progress.to.number);
  if (reapplied.length > 0) await undoRewound(state, reapplied, progress);
  const { after, skipped } = await derive(database, step, deriverFilters, async (tx) => {
    if (step.removed.length > 0) await deleteSkippedAbove(tx, chainId, progress.ancestor);
    if (reapplied.length > 0) {
      await dropRewoundThrough(tx, chainId, progress.to.number);
      await deleteOutdatedSkipped(tx, chainId, { above: progress.ancestor, through: progress.to.number });
    }
    await advanceCheckpoint(tx, { chainId, epoch, from, ...progress });
  });
  for (const callback of after) callback();
  health.succeeded();
  position.advance(progress, step.removed);
  for (const { deriver, block, logIndex, reason } of skipped)
    events.skipped(name, { deriver, block: block.number, logIndex, reason });
  const logs = step.added.reduce((sum, block) => sum + block.logs.length, 0);
  const { to, head, ancestor } = progress;
  events.advanced(name, { block: to.number, head, blocks: to.number - ancestor, logs });
}

/* Restarts a chain from a block, on an operator's request, and undoes the blocks that have left the chain by then. */

/**
 * The stored blocks from the requested one on are compared with the chain when their numbers are reached again. If the follower
 * stopped, that includes all blocks that it knows.
 */
export async function rewind(state: FollowerState, requestedBlock: number): Promise<void> {
  const { chainId, name, position } = state;
  const { database, events, derivers } = state.dependencies;
  const { stopped, firstBlock, number } = position.checkpoint;
  const lowest =
    stopped === undefined ? undefined : (await state.storedBlocks(firstBlock, number + 1)).at(-1)?.number;
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
async function undoRewound(
  state: FollowerState,
  reapplied: readonly BlockId[],
  { blocks, head }: { readonly blocks: readonly BlockRef[]; readonly head: number },
): Promise<void> {
  const { chainId, name, position } = state;
  const { database, source, events, follow } = state.dependencies;
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
  const unknown = reapplied.map(({ number }) => number).filter((number) => !hashes.has(number));
  for (const [number, hash] of await hashesOf(source, unknown)) hashes.set(number, hash);
  const lowest = reapplied.findLast(({ number, hash }) => (hashes.get(number) ?? hash) !== hash)?.number;
  if (lowest === undefined) return;
  const removed = position.rewound.filter(({ number }) => number >= lowest);
  for (let start = 0; start < removed.length; start += maxRemovedBlocks) {
    const some = removed.slice(start, start + maxRemovedBlocks);
    const from = some.at(-1)?.number ?? lowest;
    const step = { chainId, removed: some, added: [], head, includesEmptyBlocks: false };
    const { after } = await derive(database, step, await state.deriverFilters(), async (tx) => {
      await dropRewoundFrom(tx, chainId, position.epoch, from);
      await deleteSkippedAbove(tx, chainId, from - 1);
    });
    for (const callback of after) callback();
    position.rewound = position.rewound.filter(({ number }) => number < from);
  }
  events.reorganized(name, removed.length, follow.window);
}
