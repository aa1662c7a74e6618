/** Which blocks the nodes consider safe and final. */
import type { Hex } from "../rpc/chain.ts";
import { BlockNotFound } from "../rpc/nodes/faults.ts";
import type { Finality } from "./derive/deriver.ts";
import type { Header, Source } from "./source.ts";

export interface FinalityInput {
  /** The last committed block. Later blocks do not count. */
  readonly number: number;
  /** Number of blocks that may leave the chain, for chains whose nodes do not report finality. */
  readonly window: number;
  /** Whether a node has ever reported finality. If so, a node that does not report it proves nothing. */
  readonly wasReported: boolean;
  /** Returns the hash of a committed block, if it is known. */
  readonly hashOf: (number: number) => Promise<Hex | undefined>;
}

export interface ReportedFinality extends Finality {
  readonly isReported: boolean;
}

/** Returns undefined if the blocks are unknown now: the nodes are on another branch, or stopped reporting them. */
export async function readFinality(
  source: Pick<Source, "taggedBlock" | "headersByNumber">,
  { number, window, wasReported, hashOf }: FinalityInput,
): Promise<ReportedFinality | undefined> {
  const [finalized, safe] = await Promise.all([source.taggedBlock("finalized"), source.taggedBlock("safe")]);
  if (finalized === undefined && safe === undefined)
    return wasReported ? undefined : { safe: number - window, finalized: number - window, isReported: false };
  const isOnChain = async (block: Header | undefined): Promise<boolean> => {
    if (block === undefined) return true;
    if (block.number > number) return isHeadOnChain(source, number, await hashOf(number));
    const known = await hashOf(block.number);
    return known === undefined || known === block.hash;
  };
  if (!(await isOnChain(finalized)) || !(await isOnChain(safe))) return undefined;
  const reached = (block: Header | undefined): number =>
    block === undefined ? -1 : Math.min(block.number, number);
  return {
    // A final block is safe.
    safe: Math.max(reached(safe), reached(finalized)),
    finalized: reached(finalized),
    isReported: true,
  };
}

/**
 * Whether the last committed block is on the chain of a later final block. While the host was behind, the block may have left the chain.
 * To be asked after the final block is known, because the chain may change in between.
 */
async function isHeadOnChain(
  source: Pick<Source, "headersByNumber">,
  number: number,
  hash: Hex | undefined,
): Promise<boolean> {
  try {
    const [header] = await source.headersByNumber([number]);
    return header !== undefined && header.hash === hash;
  } catch (err) {
    if (err instanceof BlockNotFound) return false;
    throw err;
  }
}
