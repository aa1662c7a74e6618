/** Tells the operator how long a catch-up takes: in the log when it begins, and in `platform follow list` while it lasts. */
import type { Database } from "../../base/storage/database.ts";
import type { FollowSettings } from "../networks/follow.ts";
import type { Network } from "../networks/network.ts";
import type { MeteredNode } from "../rpc/nodes/metered-nodes.ts";
import { countArchived } from "./archive/plan.ts";
import { type Deriver, type LogFilter, matchesNothing, unionOfFilters } from "./derive/deriver.ts";
import type { FollowerEvents } from "./follower-state.ts";
import type { BlockRange } from "./source.ts";

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

/* Estimates what it costs to catch up with a chain. */

export interface Work {
  /** Blocks that are missing. */
  readonly blocks: number;
  /** Number of the latest blocks that are read one by one. */
  readonly window: number;
  /** Most blocks in one request for logs. */
  readonly rangeBlocks: number;
  readonly filter: LogFilter;
}

export interface Requests {
  /** Requests for logs. */
  readonly logs: number;
  /** Requests for headers of blocks. */
  readonly headers: number;
}

export interface Forecast {
  readonly requests: number;
  /** Undefined if nothing limits the requests and none was measured. */
  readonly seconds: number | undefined;
}

/** Blocks of a range whose logs just fit into a response if every block has matching logs. */
const denseRangeBlocks = 25;

/**
 * A range takes one request for its logs, and one for the header of its first, its last, and each block with logs. With addresses, few
 * blocks have logs. Events of any contract are in almost every block: the ranges stay small, and each block takes a request for
 * its header, and one for its logs if indexes are needed.
 */
export function expectedRequests({ blocks, window, rangeBlocks, filter }: Work): Requests {
  const recent = Math.min(blocks, window);
  const older = blocks - recent;
  const isDense = filter.addresses === undefined && !matchesNothing(filter);
  const ranges = Math.ceil(older / (isDense ? Math.min(rangeBlocks, denseRangeBlocks) : rangeBlocks));
  if (matchesNothing(filter)) return { logs: 0, headers: recent + 2 * ranges };
  const single = isDense && filter.indexInTransaction === true ? older : 0;
  return { logs: recent + ranges + single, headers: recent + (isDense ? older : 2 * ranges) };
}

/** Extrapolates from what was done so far. */
export function extrapolate(
  done: { readonly blocks: number; readonly requests: number; readonly seconds: number },
  blocksLeft: number,
): Forecast {
  const ratio = blocksLeft / done.blocks;
  return { requests: done.requests * ratio, seconds: done.seconds * ratio };
}

/** `about 14,000 requests, 39 min at 6 requests/s`. */
export function describeForecast({ requests, seconds }: Forecast): string {
  const rounded = Number(requests.toPrecision(2));
  const count = `about ${rounded.toLocaleString("en-US")} ${rounded === 1 ? "request" : "requests"}`;
  if (seconds === undefined || seconds <= 0) return count;
  const perSecond = requests / seconds;
  const rate = perSecond < 10 ? Number(perSecond.toPrecision(1)) : Math.round(perSecond);
  return `${count}, ${describeDuration(seconds)} at ${rate.toLocaleString("en-US")} requests/s`;
}

function describeDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
