/** How the follower reads from a chain's nodes, and the errors that reading throws. */
import type { Hex } from "../rpc/chain.ts";
import type { BlockRef, ChainLog, LogFilter } from "./derive/deriver.ts";

export interface Header extends BlockRef {
  readonly timestamp: number;
  readonly logsBloom: Hex;
}

/** A log in the response for a range of blocks. */
export interface RangeLog extends ChainLog {
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

export interface Source {
  latest(): Promise<Header>;
  /** Throws BlockNotFound. */
  headerByHash(hash: Hex): Promise<Header>;
  /** Throws BlockNotFound if any is missing. */
  headersByNumber(numbers: readonly number[]): Promise<readonly Header[]>;
  /** Returns all logs of a block, checked with its bloom filter. Throws BlockNotFound. */
  logsOfBlock(header: Header): Promise<readonly ChainLog[]>;
  /** Throws TooManyLogs. */
  logsOfRange(from: number, to: number, filter: LogFilter): Promise<readonly RangeLog[]>;
  /**
   * Asks all nodes except the one that responded last whether this block is on their chain. Returns how many have it and how many do not.
   */
  vote(block: Pick<BlockRef, "number" | "hash">): Promise<{ readonly yes: number; readonly no: number }>;
  /** Demotes the node that responded last, because the others contradict it. */
  distrust(reason: string): void;
}

/** No node has the block: it left the chain, or the nodes have not seen it yet. */
export class BlockNotFound extends Error {
  override readonly name = "BlockNotFound";
}

/** The range has more logs or blocks than a node returns in one response. */
export class TooManyLogs extends Error {
  override readonly name = "TooManyLogs";
}

/** A response that cannot be correct. */
export class InvalidResponse extends Error {
  override readonly name = "InvalidResponse";
}
