/** Random growth of a chain: blocks with transfers that come, leave, and come back. */
import { setTimeout as sleep } from "node:timers/promises";
import { type EventChain, forkOf, reorganize, type Switch } from "../support/event-chain.ts";
import type { Random } from "../support/random.ts";

/** Deepest reorganization, in blocks. */
const deepest = 64;

/** Adds blocks with `events` transfers in total. */
export async function grow(chain: EventChain, random: Random, events: number): Promise<void> {
  for (let left = events; left > 0; ) {
    const count = Math.min(left, random.below(40) + 1);
    await chain.emit(count);
    if (random.chance(60)) await chain.mine();
    left -= count;
  }
  await chain.mine();
}

/** Replaces the newest blocks. In one of four cases the old ones come back after a while. */
export async function change(node: Switch, random: Random): Promise<"left" | "returned"> {
  const chain = node.current;
  if (!random.chance(25)) {
    await reorganize(chain, random.pick([1, 1, 2, 3, 5, 8, 16, 32, deepest, random.below(deepest) + 1]));
    return "left";
  }
  const fork = await forkOf(chain);
  await using _ = fork;
  const depth = random.below(12) + 1;
  await growAll(chain, depth);
  await sleep(random.below(300));
  await growAll(fork, depth + 1);
  node.current = fork;
  await sleep(random.below(300));
  await growAll(chain, 2);
  node.current = chain;
  return "returned";
}

async function growAll(chain: EventChain, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await chain.emit(3);
    await chain.mine();
  }
}
