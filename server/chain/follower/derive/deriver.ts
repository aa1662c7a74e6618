/** What a room must be to derive its records from what happens on chains. */

import type { Transaction } from "../../../base/storage/database.ts";
import type { Hex } from "../../rpc/chain.ts";

/** Which block: its place, and what it is made of. */
export interface BlockRef {
  readonly number: number;
  /** Lower case, as all hex texts here. */
  readonly hash: Hex;
  readonly parentHash: Hex;
}

export interface ChainBlock extends BlockRef {
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** In the order of the chain: those that the deriver wants, or more. */
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
  /** In its transaction, from 0; undefined where the deriver's filter did not ask for it and finding out would cost a question. */
  readonly indexInTransaction: number | undefined;
}

/** Logs of any of these contracts with any of these first topics. Hex in lower case. */
export interface LogFilter {
  /** Undefined: any contract. */
  readonly addresses?: ReadonlySet<Hex> | undefined;
  /** Undefined: any event. */
  readonly topics?: ReadonlySet<Hex> | undefined;
  /** Whether blocks that are too old to leave the chain are passed over: nothing is asked for while they are caught up with. */
  readonly recentOnly?: boolean;
  /** Whether `indexInTransaction` is needed. */
  readonly indexInTransaction?: boolean;
}

/** A database transaction of the follower: what is written in it is committed together with the follower's place on the chain. */
export interface ChainTransaction extends Transaction {
  readonly chainId: number;
  /** Whether the blocks may still leave the chain. Older ones come in ranges, while it is caught up with. */
  readonly isRecent: boolean;
}

/** Called once the transaction is committed, and not if it is undone. Must not throw, and nobody waits for it. */
export type AfterCommit = () => void;

/**
 * Derives records from the logs of a chain, in a transaction of the follower. Calls for one chain come one after the other, in
 * the order of the chain, and are repeated after a failure or a crash if, and only if, what they wrote was undone.
 *
 * A deriver that throws cannot stop the others: its work of this transaction is undone and done again log by log, and the log
 * that it fails at is parked, shown to the operator and passed over. So one block may come in several calls, each with other
 * logs of it. A DatabaseFault is nobody's fault: all of it is tried again until it passes.
 */
export interface Deriver {
  /** Lower case letters: `webhooks`. It stands in the log, with metrics and with what is parked. */
  readonly name: string;
  /**
   * Asked before each question for logs, and by whoever begins to follow the chain. Answer the same object as long as nothing changed: when it is another one, what was
   * asked for with the old one is asked again, so that no block is committed by an older filter than the newest.
   */
  logFilter(chainId: number): LogFilter | Promise<LogFilter>;
  /** Blocks became part of the chain, the lowest first. At the head each block comes; while catching up some without wanted logs may be left out. */
  added(tx: ChainTransaction, blocks: readonly ChainBlock[]): Promise<AfterCommit | undefined>;
  /**
   * Blocks that were added before left the chain, the highest first. They may come back later, by `added`. After `rewound` these may
   * be blocks that have not come again.
   */
  removed(tx: ChainTransaction, blocks: readonly BlockRef[]): Promise<AfterCommit | undefined>;
  /** All from this block on is given once more because an operator wants it so: no reorganisation, nobody is told of a removal. */
  rewound(tx: ChainTransaction, fromBlock: number): Promise<void>;
}

/** The kind of a contract, as `ERC721`, for derivers; it is asked within a transaction, so the answer is at hand or quickly found. */
export type ContractTypeOf = (tx: ChainTransaction, address: Hex) => Promise<string>;
