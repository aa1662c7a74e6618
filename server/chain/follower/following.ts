/** What the parts of a follower share. */
import type { Database } from "../../base/storage/database.ts";
import type { FollowSettings } from "../networks/follow.ts";
import type { Network } from "../networks/network.ts";
import { LogArchive } from "./archive/archive.ts";
import type { DeriverFilter } from "./derive/derive.ts";
import type { BlockId, Deriver } from "./derive/deriver.ts";
import { readDeriverFilters } from "./derive/deriver-filters.ts";
import { FinalityReporter } from "./finality-reporter.ts";
import type { FollowerEvents } from "./follower-events.ts";
import type { HeadStream } from "./head-stream.ts";
import type { Health } from "./health.ts";
import { Position } from "./position.ts";
import { RangePlanner } from "./range-planner.ts";
import { readStoredBlocks } from "./stored-blocks.ts";
import type { OpenSource } from "./viem/open-source.ts";

export interface FollowerDependencies {
  readonly network: Network;
  readonly follow: FollowSettings;
  readonly database: Database;
  readonly derivers: readonly Deriver[];
  readonly source: OpenSource;
  readonly heads: HeadStream;
  readonly events: FollowerEvents;
  readonly health: Health;
}

export class Following {
  readonly dependencies: FollowerDependencies;
  readonly chainId: number;
  readonly name: string;
  readonly position: Position;
  readonly planner: RangePlanner;
  readonly archive: LogArchive | undefined;
  readonly #finality: FinalityReporter;

  constructor(dependencies: FollowerDependencies) {
    const { network, follow, database, derivers, source, events } = dependencies;
    const { chainId, name } = network;
    this.dependencies = dependencies;
    this.chainId = chainId;
    this.name = name;
    this.position = new Position(chainId);
    this.planner = new RangePlanner(follow.rangeBlocks);
    if (follow.archive !== undefined)
      this.archive = new LogArchive({
        chainId,
        settings: follow.archive,
        database,
        onDamaged: (from, to) => events.archiveDamaged(name, from, to),
      });
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
