/** Reports safe and final blocks of a chain to the derivers that wait for them. */
import type { Database } from "../../base/storage/database.ts";
import type { Hex } from "../rpc/chain.ts";
import { type Checkpoint, recordFinality, Superseded } from "./checkpoint.ts";
import type { AfterCommit, Deriver } from "./derive/deriver.ts";
import { readFinality } from "./finality.ts";
import type { Source } from "./source.ts";

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
export type Progress = Pick<Checkpoint, "number" | "reportsFinality" | "epoch">;

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
  async report(progress: Progress): Promise<boolean> {
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

  async #settle({ number, reportsFinality, epoch }: Progress): Promise<boolean> {
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
