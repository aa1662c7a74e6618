/** Finds how a new head connects to the follower's known blocks. */
import type { Hex } from "../rpc/chain.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Header, Source } from "./source.ts";

export interface Branch {
  /** Number of the highest block that the head's chain and the known chain share. */
  readonly ancestor: number;
  /** The headers after the ancestor, lowest first, up to the head. */
  readonly headers: readonly Header[];
}

/** A reorganisation reaches below the window, or below all known blocks. */
export class ReorganisationTooDeep extends Error {
  override readonly name = "ReorganisationTooDeep";
}

/**
 * Walks from the head down to a known block. Throws ReorganisationTooDeep, and BlockNotFound if the head has left the chain in
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
      throw new ReorganisationTooDeep(
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
