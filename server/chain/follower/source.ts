/** What the follower asks of the nodes of a chain, and what can be wrong with an answer. */
import type { Hex } from "../rpc/chain.ts";
import type { BlockRef, ChainLog, LogFilter } from "./derive/deriver.ts";

export interface Header extends BlockRef {
  readonly timestamp: number;
  readonly logsBloom: Hex;
}

/** Logs as a range of blocks gives them. */
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
  /** All logs of a block, held against its filter. Throws BlockNotFound. */
  logsOfBlock(header: Header): Promise<readonly ChainLog[]>;
  /** Throws TooManyLogs. */
  logsOfRange(from: number, to: number, filter: LogFilter): Promise<readonly RangeLog[]>;
  /** Whether nodes other than the one that was asked last still have this block on their chain: how many say so, and how many not. */
  vote(block: Pick<BlockRef, "number" | "hash">): Promise<{ readonly yes: number; readonly no: number }>;
  /** The node that was asked last says what the others deny. */
  distrust(reason: string): void;
}

/** No node has it: the block left the chain, or the nodes have not seen it yet. */
export class BlockNotFound extends Error {
  override readonly name = "NotThere";
}

/** The range is more than the node gives at once. */
export class TooManyLogs extends Error {
  override readonly name = "TooManyLogs";
}

/** An answer that cannot be true. */
export class InvalidResponse extends Error {
  override readonly name = "Untrue";
}
