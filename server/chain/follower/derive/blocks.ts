/** Blocks and logs as derivers get them. */
import type { Hex } from "../../rpc/chain.ts";

export interface BlockId {
  readonly number: number;
  /** Lower case, like all hex in this module. */
  readonly hash: Hex;
}

export interface BlockRef extends BlockId {
  readonly parentHash: Hex;
}

export interface ChainBlock extends BlockRef {
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** In chain order. Contains every log that passes the deriver's filter, and may contain more. */
  readonly logs: readonly ChainLog[];
}

export interface ChainLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly transactionHash: Hex;
  /** In its block, from 0. */
  readonly transactionIndex: number;
  /** In its block, from 0. */
  readonly logIndex: number;
  /** Index within its transaction, from 0. Undefined if the deriver's filter does not request it and finding out would cost a request. */
  readonly indexInTransaction: number | undefined;
}
