/** Estimates which way to read a range costs less, from the ranges that were read before. */

/**
 * How a range is read: only logs that pass the filter, and then all logs of each block with such a log; or all logs of all blocks, which need
 * no request for each block.
 */
export type RangeKind = "filtered" | "whole";

/** One request costs as much as transferring and parsing this many logs, about 0.7 MB. */
const logsPerRequest = 1_000;

/** Weight of the newest range in the averages. */
const newestWeight = 0.3;

/** The other way must be this much cheaper, so that estimates that are nearly equal do not alternate. */
const minGain = 0.8;

export interface ReadRange {
  readonly blocks: number;
  /** Logs that pass the filter. */
  readonly matching: number;
  /** All logs of the blocks; undefined if they are not known. */
  readonly all: number | undefined;
  /** Blocks that the filtered way reads one by one, and all logs of these. */
  readonly single: { readonly blocks: number; readonly logs: number };
}

export class ReadCosts {
  #kind: RangeKind = "filtered";
  /** Averages for each block. `all` is the upper bound until a range was read whole: the average of blocks with matching logs. */
  #matching = 0;
  #all = 0;
  #singleBlocks = 0;
  #singleLogs = 0;
  #isFirst = true;

  record({ blocks, matching, all, single }: ReadRange): void {
    const weight = this.#isFirst ? 1 : newestWeight;
    this.#isFirst = false;
    const average = (before: number, sum: number, count: number): number =>
      before + (sum / count - before) * weight;
    this.#matching = average(this.#matching, matching, blocks);
    this.#singleBlocks = average(this.#singleBlocks, single.blocks, blocks);
    this.#singleLogs = average(this.#singleLogs, single.logs, blocks);
    if (all !== undefined) this.#all = average(this.#all, all, blocks);
    else if (single.blocks > 0) this.#all = average(this.#all, single.logs, single.blocks);
  }

  /** `blocksOf` is the number of blocks of a request of each kind; 0 if nodes refuse such requests. */
  cheaper(blocksOf: Readonly<Record<RangeKind, number>>): RangeKind {
    const filtered =
      1 / blocksOf.filtered + this.#singleBlocks + (this.#matching + this.#singleLogs) / logsPerRequest;
    const whole = 1 / blocksOf.whole + this.#all / logsPerRequest;
    const [current, other] = this.#kind === "filtered" ? [filtered, whole] : [whole, filtered];
    if (other < current * minGain) this.#kind = this.#kind === "filtered" ? "whole" : "filtered";
    return this.#kind;
  }
}
