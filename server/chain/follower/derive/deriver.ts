/** The interface of modules that derive records from blocks. */
import type { Queries, Transaction } from "../../../base/storage/database.ts";
import type { Hex } from "../../rpc/chain.ts";
import type { BlockId, ChainBlock } from "./blocks.ts";
import type { LogFilter } from "./log-filter.ts";

/** A database transaction of the follower. It also commits the follower's checkpoint. */
export interface ChainTransaction extends Transaction {
  readonly chainId: number;
  /** Whether the blocks may still leave the chain. False while catching up with older blocks, which are passed in ranges. */
  readonly isRecent: boolean;
}

/** The highest blocks that the nodes consider safe and final. */
export interface Finality {
  readonly safe: number;
  readonly finalized: number;
}

/** Called after the transaction commits; not called if it is rolled back. Must not throw. Asynchronous work is not awaited. */
export type AfterCommit = () => void;

/**
 * Derives records from the logs of a chain, in the follower's transaction. Calls for one chain are made one after the other in
 * chain order. After a failure or a crash, a call is repeated if, and only if, its writes were rolled back.
 *
 * A deriver that throws does not stop the others: its work is rolled back and repeated log by log. A log on which it fails is
 * skipped and shown to the operator. A block may therefore be passed in several calls, each with different logs. After a
 * DatabaseFault nothing is skipped: the whole step is retried until it succeeds.
 */
export interface Deriver {
  /** Lower case letters: `webhooks`. Appears in the log, in metrics and with skipped logs. */
  readonly name: string;
  /**
   * Called before each request for logs, and when the follower starts. Return the same object until the filter changes: if it is a
   * different object after the request, the logs are requested again, so that no block is committed with an outdated filter.
   */
  logFilter(chainId: number): LogFilter | Promise<LogFilter>;
  /**
   * Blocks were added to the chain, lowest first. At the head every block is passed; while catching up, blocks without matching
   * logs may be omitted. `head` is the newest block that the nodes reported: the last block or a later one.
   */
  added(tx: ChainTransaction, blocks: readonly ChainBlock[], head: number): Promise<AfterCommit | undefined>;
  /**
   * Blocks have left the chain, highest first. They may return later through `added`. The list may contain blocks that were omitted when
   * they were added, because they have no matching logs, and after `rewound` blocks that have not been added again.
   */
  removed(tx: ChainTransaction, blocks: readonly BlockId[]): Promise<AfterCommit | undefined>;
  /**
   * An operator restarted the chain from this block: all blocks from here are added again. This is not a reorganization: do not
   * report removals.
   */
  rewound(tx: ChainTransaction, fromBlock: number): Promise<void>;
  /**
   * Blocks from `from` up to, but not including, `below` to which stored records belong, with the hashes that they had. The follower
   * compares them with the chain after a reorganization that is deeper than its own memory.
   */
  blocksWithRecords?(
    queries: Queries,
    chainId: number,
    range: { readonly from: number; readonly below: number },
  ): Promise<readonly BlockId[]>;
  /** Whether records wait for `settled`. */
  awaitsFinality?(chainId: number): Promise<boolean>;
  /** Called repeatedly while records wait. All blocks up to the given ones have been added. */
  settled?(tx: ChainTransaction, finality: Finality): Promise<AfterCommit | undefined>;
}

/** The type of a contract, such as `ERC721`. Derivers call it within a transaction, so it must be cached or fast. */
export type ContractTypeOf = (
  queries: Queries & Pick<ChainTransaction, "chainId">,
  address: Hex,
) => Promise<string>;
