/** Which blocks the nodes consider safe and final, and reports of them to the derivers that wait for them. */
import type { Database } from "../../base/storage/database.ts";
import type { Hex } from "../rpc/chain.ts";
import { BlockNotFound } from "../rpc/nodes/faults.ts";
import { type Checkpoint, recordFinality, Superseded } from "./checkpoint.ts";
import type { AfterCommit, Deriver, Finality } from "./derive/deriver.ts";
import type { Header, Source } from "./source.ts";

export interface FinalityReporterDependencies {
  readonly chainId: number;
  readonly window: number;
  readonly database: Database;
  readonly derivers: readonly Deriver[];
  readonly source: Pick<Source, "taggedBlock" | "headersByNumber">;
  /** Returns the hash of a committed block, if it is known. */
  readonly hashOf: (number: number) => Promise<Hex | undefined>;
  readonly onFailure: (cause: unknown) => void;
}

/** The follower's progress. Its epoch is that of the follower, not the newest. */
export type FinalityProgress = Pick<Checkpoint, "number" | "reportsFinality" | "epoch">;

/** Shortest interval at which the nodes are asked for safe and final blocks, in milliseconds. */
const pollMs = 1_000;

export class FinalityReporter {
  readonly #dependencies: FinalityReporterDependencies;
  #pollAt = 0;

  constructor(dependencies: FinalityReporterDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Does nothing until the next poll is due. Returns whether a node has ever reported finality. A failure must not delay new blocks: the
   * next call tries again. Throws Superseded.
   */
  async report(progress: FinalityProgress): Promise<boolean> {
    if (performance.now() < this.#pollAt) return progress.reportsFinality;
    this.#pollAt = performance.now() + pollMs;
    try {
      return await this.#settle(progress);
    } catch (err) {
      if (err instanceof Superseded) throw err;
      this.#dependencies.onFailure(err);
      return progress.reportsFinality;
    }
  }

  async #settle({ number, reportsFinality, epoch }: FinalityProgress): Promise<boolean> {
    const { chainId, window, database, derivers, source, hashOf } = this.#dependencies;
    const awaiting: Deriver[] = [];
    for (const deriver of derivers)
      if ((await deriver.awaitsFinality?.(chainId)) === true) awaiting.push(deriver);
    if (awaiting.length === 0) return reportsFinality;
    const finality = await readFinality(source, { number, window, wasReported: reportsFinality, hashOf });
    if (finality === undefined) return reportsFinality;
    const { isReported } = finality;
    const after = await database.transaction(async (tx) => {
      const callbacks: AfterCommit[] = [];
      for (const deriver of awaiting) {
        const callback = await deriver.settled?.({ ...tx, chainId, isRecent: false }, finality);
        if (callback !== undefined) callbacks.push(callback);
      }
      await recordFinality(tx, { chainId, epoch, isReported });
      return callbacks;
    });
    for (const callback of after) callback();
    return reportsFinality || isReported;
  }
}

/* Which blocks the nodes consider safe and final. */

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
