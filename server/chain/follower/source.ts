/** How the follower reads from a chain's nodes, and the errors that reading throws. */
import type { Hex } from "../rpc/chain.ts";
import type { BlockId, BlockRef, ChainLog } from "./derive/blocks.ts";
import type { LogFilter } from "./derive/log-filter.ts";

export { BlockNotFound, InvalidResponse } from "../rpc/nodes/faults.ts";

export interface Header extends BlockRef {
  readonly timestamp: number;
  readonly logsBloom: Hex;
}

/** A log in the response for a range of blocks. */
export interface RangeLog extends ChainLog {
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

export interface RangeLogs {
  readonly logs: readonly RangeLog[];
  /** Index of the node that returned them. */
  readonly node: number;
}

export interface Source {
  latest(): Promise<Header>;
  /** The latest block of each node, in the order of the configuration; undefined for nodes that fail. */
  latestOfEach(): Promise<readonly (Header | undefined)[]>;
  /** Returns undefined if no node knows which blocks are safe or final. */
  taggedBlock(tag: "safe" | "finalized"): Promise<Header | undefined>;
  /** Throws BlockNotFound. */
  headerByHash(hash: Hex): Promise<Header>;
  /** Throws BlockNotFound if any is missing. */
  headersByNumber(numbers: readonly number[]): Promise<readonly Header[]>;
  /** Returns all logs of a block, checked with its bloom filter. Throws BlockNotFound. */
  logsOfBlock(header: Header): Promise<readonly ChainLog[]>;
  /** May return more logs than those that pass the filter. Throws TooManyLogs. */
  logsOfRange(from: number, to: number, filter: LogFilter): Promise<RangeLogs>;
  /**
   * Returns these logs of a block with their indexes within their transactions, if the block's bloom filter shows that they are all of
   * its logs.
   */
  withIndexes(header: Header, logs: readonly RangeLog[]): readonly ChainLog[] | undefined;
  /** Index of the node that is asked first. */
  readonly preferredNode: number;
  /**
   * Asks all nodes except the one that responded last whether this block is on their chain. Returns how many have it and how many do not.
   */
  vote(block: BlockId): Promise<{ readonly yes: number; readonly no: number }>;
  /** Demotes the node that responded last, because the others contradict it. */
  demoteLast(reason: string): void;
  /** Demotes a node that is behind the others. `node` is its index. */
  demoteLagging(node: number, reason: string): void;
}

/** The range has more logs or blocks than a node returns in one response. */
export class TooManyLogs extends Error {
  override readonly name = "TooManyLogs";
  /** Index of the node. */
  readonly node: number;
  /** Number of blocks that the node's message allows. */
  readonly suggestedBlocks: number | undefined;

  constructor(node: number, { suggestedBlocks, cause }: TooManyLogsOptions = {}) {
    super("the node does not return all these logs in one response", { cause });
    this.node = node;
    this.suggestedBlocks = suggestedBlocks;
  }
}

export interface TooManyLogsOptions {
  readonly suggestedBlocks?: number | undefined;
  readonly cause?: unknown;
}

/** Consecutive blocks, both ends included. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}
