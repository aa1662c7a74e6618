/** Advances a follower to a new head: older blocks in ranges, and the latest ones by their headers. */
import type { Hex } from "../rpc/chain.ts";
import { readRanges } from "./archive/read-ranges.ts";
import { findBranch } from "./branch.ts";
import { commit } from "./commit.ts";
import { type ChainStep, maxRemovedBlocks } from "./derive/derive.ts";
import type { LogFilter } from "./derive/deriver.ts";
import { areFiltersCurrent } from "./derive/deriver-filters.ts";
import { unionOfFilters } from "./derive/filters.ts";
import type { Following } from "./following.ts";
import { readHeadBlocks } from "./head-blocks.ts";
import { hasLeftChain, isReorganisationConfirmed, undoToCommonAncestor } from "./reorganisation.ts";
import { type Header, InvalidResponse } from "./source.ts";

/** Throws ReorganisationTooDeep if blocks left the chain that are no longer recent. */
export async function advanceTo(following: Following, head: Header, signal: AbortSignal): Promise<void> {
  const { chainId, name, position } = following;
  const { number, hash } = head;
  if (hash === position.checkpoint.hash || position.recent.get(number)?.hash === hash) return;
  const { source, events, follow } = following.dependencies;
  const { window, checkBloom } = follow;
  // Blocks below the window cannot leave the chain.
  if (number - window > position.checkpoint.number + 1)
    await catchUp(following, head, number - window, signal);
  if (signal.aborted) return;
  const hashes = new Map<number, Hex>([...position.recent].map(([number, { hash }]) => [number, hash]));
  const { ancestor, headers } = await findBranch(source, head, position.checkpoint, hashes);
  const removed = [...position.recent.values()].filter(({ number }) => number > ancestor).reverse();
  if (removed.length > maxRemovedBlocks) {
    if (await undoToCommonAncestor(following, head)) await advanceTo(following, head, signal);
    return;
  }
  if (removed.length > 0 && !(await isReorganisationConfirmed(following))) return;
  const deriverFilters = await following.deriverFilters();
  const filter = requestFilter(following, unionOfFilters(deriverFilters.map((each) => each.filter)));
  const added = await readHeadBlocks(source, headers, { filter, checkBloom });
  if (!(await areFiltersCurrent(deriverFilters, { chainId, isRecent: true })))
    return advanceTo(following, head, signal);
  const step: ChainStep = { chainId, removed, added, head: number, includesEmptyBlocks: true };
  // Each block by itself, because any of them may leave the chain.
  const contents = added.map((block) => ({
    from: block.number,
    to: block,
    parentHash: block.parentHash,
    blocks: [block],
  }));
  await commit(following, step, deriverFilters, {
    to: head,
    ancestor,
    blocks: headers,
    settled: number - window,
    head: number,
    fetched: { contents, filter },
  });
  if (removed.length > 0) events.reorganised(name, removed.length, window);
}

async function catchUp(following: Following, head: Header, to: number, signal: AbortSignal): Promise<void> {
  const { chainId, position, archive, planner } = following;
  const { source, follow } = following.dependencies;
  while (position.checkpoint.number < to && !signal.aborted) {
    const deriverFilters = await following.deriverFilters({ isRecent: false });
    const wanted = unionOfFilters(deriverFilters.map((each) => each.filter));
    const filter = requestFilter(following, wanted);
    const from = position.checkpoint.number + 1;
    const ranges = readRanges(source, archive, { from, to, wanted, filter, planner, ...follow });
    for await (const range of ranges) {
      if (signal.aborted) return;
      if (!(await areFiltersCurrent(deriverFilters, { chainId, isRecent: false }))) break;
      const { hash, number } = position.checkpoint;
      const { chunk } = range;
      if (hash !== undefined && range.parentHash !== undefined && range.parentHash !== hash) {
        if (chunk !== undefined) {
          await archive?.remove(chunk);
          break;
        }
        if (!(await hasLeftChain(source, { number, hash })))
          throw new InvalidResponse("the blocks do not form a chain");
        await undoToCommonAncestor(following, head);
        break;
      }
      const step: ChainStep = {
        chainId,
        removed: [],
        added: range.blocks,
        head: head.number,
        includesEmptyBlocks: false,
      };
      await commit(following, step, deriverFilters, {
        to: range.to,
        ancestor: number,
        blocks: range.blocks,
        settled: range.to.number,
        head: head.number,
        isArchived: chunk !== undefined,
        ...(range.chunk === undefined ? { fetched: { contents: [range], filter } } : {}),
      });
      await following.reportFinality();
    }
  }
}

function requestFilter({ archive }: Following, filter: LogFilter): LogFilter {
  return archive?.requestFilter(filter) ?? filter;
}
