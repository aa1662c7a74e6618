/** Tells the operator how long a catch-up takes: in the log when it begins, and in `platform follow list` while it lasts. */

import type { Database } from "../../base/storage/database.ts";
import type { FollowSettings } from "../networks/follow.ts";
import type { Network } from "../networks/network.ts";
import type { MeteredNode } from "../rpc/nodes/metered-nodes.ts";
import { countArchived } from "./archive/parts.ts";
import type { BlockRange } from "./block-range.ts";
import type { Deriver } from "./derive/deriver.ts";
import { unionOfFilters } from "./derive/filters.ts";
import type { FollowerEvents } from "./follower-events.ts";
import { describeForecast, expectedRequests, extrapolate, type Forecast } from "./forecast.ts";

/** From this many missing blocks on, catching up takes long enough to report. */
const minBlocks = 1_000;

/** Interval of the updates in the database, in milliseconds. */
const updateMs = 2_000;

/** Part of the work after which the measured pace replaces the expected one. */
const measuredFrom = 0.05;

export interface CatchUpDependencies {
  readonly database: Database;
  readonly network: Network;
  readonly follow: FollowSettings;
  readonly derivers: readonly Deriver[];
  readonly nodes: readonly MeteredNode[];
  readonly events: FollowerEvents;
}

interface Start {
  readonly block: number;
  readonly blocksLeft: number;
  readonly requests: number;
  readonly atMs: number;
}

export class CatchUp {
  readonly #dependencies: CatchUpDependencies;
  #start: Start | undefined;
  #updateAt = 0;
  /** Whether the database may have a forecast, also one of another replica. */
  #isStored = true;

  constructor(dependencies: CatchUpDependencies) {
    this.#dependencies = dependencies;
  }

  /** Call this after each commit. Never throws. */
  advanced(block: number, head: number): void {
    const blocksLeft = head - block;
    const isDone = blocksLeft <= (this.#start === undefined ? minBlocks : this.#dependencies.follow.window);
    if (isDone) {
      this.#start = undefined;
      if (this.#isStored) void this.#store(undefined);
      return;
    }
    // After an operator's restart from a lower block, the work begins again.
    const isNew = this.#start === undefined || block < this.#start.block;
    if (isNew) this.#start = { block, blocksLeft, requests: this.#requests(), atMs: performance.now() };
    if (!isNew && performance.now() < this.#updateAt) return;
    this.#updateAt = performance.now() + updateMs;
    void this.#report({ from: block + 1, to: head }, isNew);
  }

  async #report(missing: BlockRange, isNew: boolean): Promise<void> {
    const blocksLeft = missing.to - missing.from + 1;
    try {
      const text = describeForecast(this.#measured(blocksLeft) ?? (await this.#expected(missing)));
      if (isNew) this.#dependencies.events.catchingUp(this.#dependencies.network.name, blocksLeft, text);
      await this.#store(text);
    } catch {
      // The forecast is only information; the follower reports failures of the database itself.
    }
  }

  #measured(blocksLeft: number): Forecast | undefined {
    if (this.#start === undefined) return undefined;
    const blocks = this.#start.blocksLeft - blocksLeft;
    if (blocks < this.#start.blocksLeft * measuredFrom) return undefined;
    const requests = this.#requests() - this.#start.requests;
    return extrapolate(
      { blocks, requests, seconds: (performance.now() - this.#start.atMs) / 1_000 },
      blocksLeft,
    );
  }

  async #expected({ from, to }: BlockRange): Promise<Forecast> {
    const { database, network, follow, derivers, nodes } = this.#dependencies;
    const filters = await Promise.all(derivers.map((deriver) => deriver.logFilter(network.chainId)));
    const wanted = unionOfFilters(filters.filter(({ recentOnly }) => recentOnly !== true));
    const { archive, window } = follow;
    const archived =
      archive === undefined
        ? 0
        : await countArchived(database, network.chainId, { from, to: to - window }, wanted);
    const blocks = to - from + 1 - archived;
    const filter = archive?.logs === "all" ? {} : wanted;
    const { logs, headers } = expectedRequests({ ...follow, blocks, filter });
    const [first] = nodes;
    const weight =
      logs * (first?.budget.weightOf("eth_getLogs") ?? 1) +
      headers * (first?.budget.weightOf("eth_getBlockByNumber") ?? 1);
    const perSecond = nodes.reduce((sum, { budget }) => sum + budget.perSecond, 0);
    return {
      requests: logs + headers,
      seconds: Number.isFinite(perSecond) ? weight / perSecond : undefined,
    };
  }

  #requests(): number {
    return this.#dependencies.nodes.reduce((sum, { sent }) => sum + sent("follower"), 0);
  }

  async #store(text: string | undefined): Promise<void> {
    const { database, network } = this.#dependencies;
    this.#isStored = text !== undefined;
    await database
      .query("update follower_cursor set catch_up = $2 where chain_id = $1", [network.chainId, text ?? null])
      .catch(() => {});
  }
}
