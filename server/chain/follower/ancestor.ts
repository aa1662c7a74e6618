/** Finds which stored blocks have left the chain, however deep the reorganisation is. */
import type { Hex } from "../rpc/chain.ts";
import type { BlockId } from "./derive/deriver.ts";
import type { Source } from "./source.ts";

/** Number of blocks of the first step down; each following step is twice as long. */
const firstStep = 256;

/** Most headers that are requested at once. */
const maxConcurrentHeaders = 500;

export interface LostBlocks {
  /** The highest stored block that is still on the chain; undefined if there is none. */
  readonly ancestor: BlockId | undefined;
  /** The stored blocks above it, highest first. */
  readonly lost: readonly BlockId[];
}

/** Returns the stored blocks from `from` up to, but not including, `below`, highest first. */
export type StoredBlocks = (from: number, below: number) => Promise<readonly BlockId[]>;

/** Walks down from block `number` and compares stored hashes with the chain, until a block is still part of it. */
export async function findLostBlocks(
  source: Pick<Source, "headersByNumber">,
  head: number,
  { number, firstBlock }: { readonly number: number; readonly firstBlock: number },
  storedBlocks: StoredBlocks,
): Promise<LostBlocks> {
  const lost: BlockId[] = [];
  let below = number + 1;
  for (let step = firstStep; below > firstBlock; step *= 2) {
    const from = Math.max(firstBlock, below - step);
    const stored = await storedBlocks(from, below);
    for (let start = 0; start < stored.length; start += maxConcurrentHeaders) {
      const blocks = stored.slice(start, start + maxConcurrentHeaders);
      // The chain may be shorter now.
      const numbers = blocks.map((block) => block.number).filter((each) => each <= head);
      const current = await hashesOf(source, numbers);
      for (const block of blocks) {
        if (current.get(block.number) === block.hash) return { ancestor: block, lost };
        lost.push(block);
      }
    }
    below = from;
  }
  return { ancestor: undefined, lost };
}

/** Returns the hashes that these blocks have on the chain, by number. */
export async function hashesOf(
  source: Pick<Source, "headersByNumber">,
  numbers: readonly number[],
): Promise<Map<number, Hex>> {
  const hashes = new Map<number, Hex>();
  for (let start = 0; start < numbers.length; start += maxConcurrentHeaders) {
    const headers = await source.headersByNumber(numbers.slice(start, start + maxConcurrentHeaders));
    for (const { number, hash } of headers) hashes.set(number, hash);
  }
  return hashes;
}
