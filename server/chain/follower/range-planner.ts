/** Decides how the next range is read: its way, its number of blocks, and how many of these are in one request. */
import type { LogFilter } from "./derive/deriver.ts";
import { RangeCap } from "./range-cap.ts";
import { RangeConcurrency } from "./range-concurrency.ts";
import { RangeSize } from "./range-size.ts";
import { type RangeKind, ReadCosts, type ReadRange } from "./read-costs.ts";

/** Limits how long a range is in flight if a node's cap is small. */
const maxRequestsPerRange = 8;

export interface RangePlan {
  readonly kind: RangeKind;
  readonly blocks: number;
}

/** Remembers what nodes returned and refused as long as the chain is followed. */
export class RangePlanner {
  readonly concurrency: RangeConcurrency = new RangeConcurrency();
  readonly #sizes: Readonly<Record<RangeKind, RangeSize>>;
  /** By node and kind, because nodes have different limits. */
  readonly #caps = new Map<string, RangeCap>();
  readonly #costs = new ReadCosts();

  constructor(maxBlocks: number) {
    this.#sizes = { filtered: new RangeSize(maxBlocks), whole: new RangeSize(maxBlocks) };
  }

  /** `node` is the one that is asked first. */
  next(node: number, { indexInTransaction }: LogFilter): RangePlan {
    const blocksOf = {
      filtered: this.#requestBlocks(node, "filtered"),
      whole: this.#requestBlocks(node, "whole"),
    };
    const kind = indexInTransaction === true ? this.#costs.cheaper(blocksOf) : "filtered";
    return {
      kind,
      blocks: Math.min(this.#sizes[kind].blocks, this.capOf(node, kind).blocks * maxRequestsPerRange),
    };
  }

  capOf(node: number, kind: RangeKind): RangeCap {
    const key = `${node}/${kind}`;
    let cap = this.#caps.get(key);
    if (cap === undefined) {
      cap = new RangeCap();
      this.#caps.set(key, cap);
    }
    if (kind === "whole" && cap.blocks === Number.POSITIVE_INFINITY) {
      // No node returns all logs of more blocks than it returns some logs of.
      const { blocks } = this.capOf(node, "filtered");
      if (blocks < cap.blocks) cap.refused(blocks + 1, blocks);
    }
    return cap;
  }

  /** `transferred` is the number of logs in the responses for the range. */
  record(kind: RangeKind, transferred: number, range: ReadRange): void {
    this.#sizes[kind].record(range.blocks, transferred);
    this.#costs.record(range);
  }

  #requestBlocks(node: number, kind: RangeKind): number {
    const cap = this.capOf(node, kind);
    return cap.isClosed ? 0 : Math.min(this.#sizes[kind].blocks, cap.blocks);
  }
}
