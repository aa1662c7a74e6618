/** What the parts of a follower share. */
import type { Database, Queries } from "../../base/storage/database.ts";
import type { FollowSettings } from "../networks/follow.ts";
import type { Network } from "../networks/network.ts";
import {
  type Checkpoint,
  type NewBlocks,
  readCheckpoint,
  readRecentBlocks,
  readRewound,
  readStoredBlocks,
  Superseded,
  takeOver,
} from "./checkpoint.ts";
import type { BlockId, BlockRef } from "./derive/blocks.ts";
import { type DeriverFilter, readDeriverFilters } from "./derive/derive.ts";
import type { Deriver } from "./derive/deriver.ts";
import { FinalityReporter } from "./finality.ts";
import type { HeadStream } from "./head-stream.ts";
import type { Health } from "./health.ts";
import { RangePlanner } from "./range-planner.ts";
import type { OpenSource } from "./viem/open-source.ts";

export interface FollowerDependencies {
  readonly network: Network;
  readonly follow: FollowSettings;
  readonly database: Database;
  readonly replicaId?: string | undefined;
  readonly derivers: readonly Deriver[];
  readonly source: OpenSource;
  readonly heads: HeadStream;
  readonly events: FollowerEvents;
  readonly health: Health;
}

export class FollowerState {
  readonly dependencies: FollowerDependencies;
  readonly chainId: number;
  readonly name: string;
  readonly position: Position;
  readonly planner: RangePlanner;
  readonly #finality: FinalityReporter;

  constructor(dependencies: FollowerDependencies) {
    const { network, follow, database, derivers, source, events } = dependencies;
    const { chainId, name } = network;
    this.dependencies = dependencies;
    this.chainId = chainId;
    this.name = name;
    this.position = new Position(chainId);
    this.planner = new RangePlanner(follow.rangeBlocks);
    this.#finality = new FinalityReporter({
      chainId,
      window: follow.window,
      database,
      derivers,
      source,
      hashOf: async (number) => (await this.storedBlocks(number, number + 1))[0]?.hash,
      onFailure: (cause) => events.failed(name, cause),
    });
  }

  deriverFilters(
    { isRecent }: { readonly isRecent: boolean } = { isRecent: true },
  ): Promise<readonly DeriverFilter[]> {
    return readDeriverFilters(this.dependencies.derivers, { chainId: this.chainId, isRecent });
  }

  /** Returns the blocks from `from` up to, but not including, `below` that the follower or a deriver stores, highest first. */
  storedBlocks(from: number, below: number): Promise<readonly BlockId[]> {
    const { database, derivers } = this.dependencies;
    const options = { chainId: this.chainId, recent: this.position.recent.values(), derivers };
    return readStoredBlocks(database, options, { from, below });
  }

  async reportFinality(): Promise<void> {
    const { position } = this;
    const reportsFinality = await this.#finality.report({ ...position.checkpoint, epoch: position.epoch });
    position.checkpoint = { ...position.checkpoint, reportsFinality };
  }
}

/* How far a follower is, as of its last commit. */

class Position {
  readonly #chainId: number;
  /** The follower may write as long as the checkpoint has this epoch. */
  epoch = 0;
  checkpoint: Checkpoint = {
    epoch: 0,
    firstBlock: 0,
    number: -1,
    hash: undefined,
    stopped: undefined,
    rewindTo: undefined,
    reportsFinality: false,
  };
  /** Blocks that may still leave the chain, by number, highest last. */
  recent: Map<number, BlockRef> = new Map();
  /** Blocks that were committed before a rewind and have not been added again, highest first. */
  rewound: readonly BlockId[] = [];
  /** Number of commits so far. */
  commits = 0;

  constructor(chainId: number) {
    this.#chainId = chainId;
  }

  async takeOver(queries: Queries, replicaId: string | undefined): Promise<void> {
    this.epoch = await takeOver(queries, this.#chainId, replicaId);
  }

  async read(queries: Queries): Promise<void> {
    const checkpoint = await readCheckpoint(queries, this.#chainId);
    if (checkpoint === undefined) throw new Superseded("the chain's checkpoint was removed");
    this.checkpoint = checkpoint;
    const recent = await readRecentBlocks(queries, this.#chainId);
    this.recent = new Map(recent.toReversed().map((block) => [block.number, block]));
    this.rewound = await readRewound(queries, this.#chainId);
  }

  /** Call this after a commit. */
  advance(
    { to, blocks, settled }: Pick<NewBlocks, "to" | "blocks" | "settled">,
    removed: readonly BlockId[],
  ): void {
    this.commits++;
    this.checkpoint = { ...this.checkpoint, number: to.number, hash: to.hash };
    this.rewound = this.rewound.filter(({ number }) => number > to.number);
    for (const { number } of removed) this.recent.delete(number);
    for (const { number, hash, parentHash } of blocks) this.recent.set(number, { number, hash, parentHash });
    for (const number of this.recent.keys()) {
      if (number > settled) break;
      this.recent.delete(number);
    }
  }
}

/** Events for the operator's log and metrics. `chain` is the chain's name. Implementations must not throw. */
export interface FollowerEvents {
  /** This replica follows the chain from now on, from this block. */
  readonly followStarted: (chain: string, block: number) => void;
  readonly followEnded: (chain: string) => void;
  /** The nodes report this newest block. Called at intervals, even while the follower is stopped. */
  readonly headSeen: (chain: string, head: number, timestamp: number) => void;
  readonly advanced: (
    chain: string,
    advanced: {
      readonly block: number;
      readonly head: number;
      readonly blocks: number;
      readonly logs: number;
    },
  ) => void;
  /** `depth` blocks left the chain. `window` is the setting of the chain. */
  readonly reorganized: (chain: string, depth: number, window: number) => void;
  readonly rewound: (chain: string, fromBlock: number) => void;
  readonly skipped: (
    chain: string,
    skipped: {
      readonly deriver: string;
      readonly block: number;
      readonly logIndex: number | undefined;
      readonly reason: unknown;
    },
  ) => void;
  /**
   * A node was demoted: the others are asked first for a while. `node` is its index in the configuration. `isOnly`: the chain has no other
   * node.
   */
  readonly nodeDemoted: (chain: string, node: number, reason: string, isOnly: boolean) => void;
  /** An operation failed and is retried. */
  readonly failed: (chain: string, cause: unknown) => void;
  /** The follower has stopped until the operator intervenes. */
  readonly stopped: (chain: string, reason: string) => void;
}
