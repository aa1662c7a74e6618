/** Blocks leave the chain: confirms that with the other nodes, and undoes the blocks. */
import { findLostBlocks } from "./ancestor.ts";
import { ReorganisationTooDeep } from "./branch.ts";
import { commit } from "./commit.ts";
import { maxRemovedBlocks } from "./derive/derive.ts";
import type { BlockId } from "./derive/deriver.ts";
import type { Following } from "./following.ts";
import { historyBlocks } from "./known-blocks.ts";
import type { Header, Source } from "./source.ts";

/** Asks the other nodes before blocks are undone, so that a node that lags or lies cannot cause a reorganisation. */
export async function isReorganisationConfirmed({ dependencies, position }: Following): Promise<boolean> {
  const { number, hash } = position.checkpoint;
  if (hash === undefined) return true;
  const { source } = dependencies;
  const { yes, no } = await source.vote({ number, hash });
  if (yes <= no) return true;
  source.demoteLast("it has removed blocks that the other nodes still have");
  return false;
}

export async function hasLeftChain(source: Source, { number, hash }: BlockId): Promise<boolean> {
  const [header] = await source.headersByNumber([number]);
  return header?.hash !== hash;
}

/**
 * Undoes the blocks that left the chain, down to the highest stored block that is still part of it. Returns false if nothing was
 * undone, because the other nodes disagree or the node is only behind. Throws ReorganisationTooDeep.
 */
export async function undoToCommonAncestor(following: Following, head: Header): Promise<boolean> {
  if (!(await isReorganisationConfirmed(following))) return false;
  const { chainId, name, position } = following;
  const { source, follow, events } = following.dependencies;
  const { number, firstBlock } = position.checkpoint;
  const { ancestor, lost } = await findLostBlocks(source, head.number, position.checkpoint, (from, below) =>
    following.storedBlocks(from, below),
  );
  if (lost.every((block) => block.number > head.number)) return false;
  const lowest = lost.at(-1)?.number ?? number;
  if (ancestor === undefined && firstBlock < Math.max(number, head.number) - historyBlocks)
    throw new ReorganisationTooDeep(
      `all blocks that the follower knows, from ${lowest} on, left the chain; to continue, run: platform follow reindex ${name} --from ${lowest}`,
    );
  const to = ancestor ?? { number: firstBlock - 1, hash: undefined };
  for (let start = 0; start < lost.length; start += maxRemovedBlocks) {
    const removed = lost.slice(start, start + maxRemovedBlocks);
    // Until the last step, a block that left the chain as well.
    const below = lost[start + maxRemovedBlocks] ?? to;
    const step = { chainId, removed, added: [], head: head.number, includesEmptyBlocks: false };
    await commit(following, step, await following.deriverFilters(), {
      to: below,
      ancestor: below.number,
      blocks: [],
      settled: to.number - follow.window,
      head: head.number,
    });
  }
  events.reorganised(name, number - to.number, follow.window);
  return true;
}
