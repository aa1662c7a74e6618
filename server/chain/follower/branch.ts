/** Finds how a new head connects to the follower's known blocks, and which stored blocks have left the chain. */
import type { Hex } from "../rpc/chain.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { BlockId } from "./derive/blocks.ts";
import type { Header, Source } from "./source.ts";

export interface Branch {
  /** Number of the highest block that the head's chain and the known chain share. */
  readonly ancestor: number;
  /** The headers after the ancestor, lowest first, up to the head. */
  readonly headers: readonly Header[];
}

/** A reorganization reaches below the window, or below all known blocks. */
export class ReorganizationTooDeep extends Error {
  override readonly name = "ReorganizationTooDeep";
}

/**
 * Walks from the head down to a known block. Throws ReorganizationTooDeep, and BlockNotFound if the head has left the chain in
 * the meantime.
 */
export async function findBranch(
  source: Pick<Source, "headerByHash" | "headersByNumber">,
  head: Header,
  checkpoint: Pick<Checkpoint, "firstBlock" | "number" | "hash">,
  knownHashes: ReadonlyMap<number, Hex>,
): Promise<Branch> {
  const prefetched = await prefetchHeaders(source, head, checkpoint.number);
  const headers = [head];
  for (let lowest = head; ; ) {
    const below = lowest.number - 1;
    if (below < checkpoint.firstBlock) return { ancestor: below, headers: headers.reverse() };
    const known =
      below === checkpoint.number ? (checkpoint.hash ?? knownHashes.get(below)) : knownHashes.get(below);
    if (known === lowest.parentHash || (below === checkpoint.number && known === undefined))
      return { ancestor: below, headers: headers.reverse() };
    if (below < checkpoint.number && known === undefined)
      throw new ReorganizationTooDeep(
        `the chain has changed below block ${below + 1}, the lowest block that the follower remembers`,
      );
    lowest = prefetched.get(lowest.parentHash) ?? (await source.headerByHash(lowest.parentHash));
    headers.push(lowest);
  }
}

/** Fetches all headers between the checkpoint and the head concurrently. The walk checks that they connect. */
async function prefetchHeaders(
  source: Pick<Source, "headersByNumber">,
  head: Header,
  checkpointNumber: number,
): Promise<ReadonlyMap<Hex, Header>> {
  const count = head.number - checkpointNumber - 1;
  if (count < 1) return new Map();
  const numbers = Array.from({ length: count }, (_, index) => checkpointNumber + 1 + index);
  const headers = await source.headersByNumber(numbers);
  return new Map(headers.map((header) => [header.hash, header]));
}

/* Finds which stored blocks have left the chain, however deep the reorganization is. */

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
