/** How a new head hangs on the blocks that are known. */
import type { Hex } from "../rpc/chain.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Header, Source } from "./source.ts";

export interface Branch {
  /** The highest block that the head and the place have in common. */
  readonly ancestor: number;
  /** What comes after it, the lowest first; the head is the last. */
  readonly headers: readonly Header[];
}

/** A reorganisation that goes below what is kept. */
export class ReorganisationTooDeep extends Error {
  override readonly name = "TooDeep";
}

/** Walks from the head to a block that is known. Throws ReorganisationTooDeep, and NotThere if the head left the chain meanwhile. */
export async function findBranch(
  source: Pick<Source, "headerByHash" | "headersByNumber">,
  head: Header,
  place: Pick<Checkpoint, "firstBlock" | "number" | "hash">,
  kept: ReadonlyMap<number, Hex>,
): Promise<Branch> {
  const ahead = await fetchAhead(source, head, place.number);
  const headers = [head];
  for (let lowest = head; ; ) {
    const below = lowest.number - 1;
    if (below < place.firstBlock) return { ancestor: below, headers: headers.reverse() };
    const known = below === place.number ? (place.hash ?? kept.get(below)) : kept.get(below);
    if (known === lowest.parentHash || (below === place.number && known === undefined))
      return { ancestor: below, headers: headers.reverse() };
    if (below < place.number && known === undefined)
      throw new ReorganisationTooDeep(
        `the chain has changed below block ${below + 1}, the lowest that is kept`,
      );
    lowest = ahead.get(lowest.parentHash) ?? (await source.headerByHash(lowest.parentHash));
    headers.push(lowest);
  }
}

/** All between the place and the head in one go; whether they hang together is seen on the way. */
async function fetchAhead(
  source: Pick<Source, "headersByNumber">,
  head: Header,
  number: number,
): Promise<ReadonlyMap<Hex, Header>> {
  const count = head.number - number - 1;
  if (count < 1) return new Map();
  const numbers = Array.from({ length: count }, (_, index) => number + 1 + index);
  const headers = await source.headersByNumber(numbers);
  return new Map(headers.map((header) => [header.hash, header]));
}
