/** The interface of modules that derive records from blocks. */
import type { Queries, Transaction } from "../../../base/storage/database.ts";
import type { FollowSettings } from "../../networks/follow.ts";
import type { Network } from "../../networks/network.ts";
import type { Hex } from "../../rpc/chain.ts";
import type { MeteredNodes } from "../../rpc/nodes/metered-nodes.ts";

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

/** Logs of any of these contracts with any of these first topics. Hex in lower case. */
export interface LogFilter {
  /** Undefined: any contract. */
  readonly addresses?: ReadonlySet<Hex> | undefined;
  /** Undefined: any event. */
  readonly topics?: ReadonlySet<Hex> | undefined;
  /** Whether the deriver needs no blocks below the reorganisation window: while catching up, no logs are requested for it. */
  readonly recentOnly?: boolean;
  /** Whether the deriver needs `ChainLog.indexInTransaction`. */
  readonly indexInTransaction?: boolean;
}

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
   * An operator restarted the chain from this block: all blocks from here are added again. This is not a reorganisation: do not
   * report removals.
   */
  rewound(tx: ChainTransaction, fromBlock: number): Promise<void>;
  /**
   * Blocks from `from` up to, but not including, `below` to which stored records belong, with the hashes that they had. The follower
   * compares them with the chain after a reorganisation that is deeper than its own memory.
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

/** A chain that this replica follows. */
export interface LedChain {
  readonly network: Network;
  readonly follow: FollowSettings;
  readonly budgets: MeteredNodes;
  readonly onArchiveDamaged: (from: number, to: number) => void;
  /** Aborts when another replica may take over. */
  readonly signal: AbortSignal;
}

/** Work for a chain on the replica that follows it. Ends soon after the signal aborts, and never throws. */
export type ChainTask = (followed: LedChain) => Promise<void>;

/* Combines the filters of several derivers into one request, and selects the logs for each deriver. */

/** Passes every log that passes any of the filters. May pass more, because it combines every contract with every event. */
export function unionOfFilters(filters: readonly LogFilter[]): LogFilter {
  return {
    addresses: unionOfSets(filters.map(({ addresses }) => addresses)),
    topics: unionOfSets(filters.map(({ topics }) => topics)),
    indexInTransaction: filters.some(({ indexInTransaction }) => indexInTransaction === true),
  };
}

function unionOfSets(sets: readonly (ReadonlySet<Hex> | undefined)[]): ReadonlySet<Hex> | undefined {
  const all = new Set<Hex>();
  for (const set of sets) {
    if (set === undefined) return undefined;
    for (const item of set) all.add(item);
  }
  return all;
}

export const emptyFilter: LogFilter = { addresses: new Set(), topics: new Set() };

export function matchesNothing({ addresses, topics }: LogFilter): boolean {
  return addresses?.size === 0 || topics?.size === 0;
}

export function passes({ addresses, topics }: LogFilter, { address, topics: [first] }: ChainLog): boolean {
  if (addresses !== undefined && !addresses.has(address)) return false;
  return topics === undefined || (first !== undefined && topics.has(first));
}

export function filterBlocks(blocks: readonly ChainBlock[], filter: LogFilter): readonly ChainBlock[] {
  if (filter.addresses === undefined && filter.topics === undefined) return blocks;
  return blocks.map((block) => {
    const logs = block.logs.filter((log) => passes(filter, log));
    return logs.length === block.logs.length ? block : { ...block, logs };
  });
}
