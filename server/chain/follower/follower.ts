/** Follows one chain while this replica leads. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../base/storage/database.ts";
import type { FollowSettings } from "../networks/follow.ts";
import type { Network } from "../networks/network.ts";
import type { Hex } from "../rpc/chain.ts";
import { backfill } from "./backfill.ts";
import { findBranch, ReorganisationTooDeep } from "./branch.ts";
import {
  type Advance,
  advanceCheckpoint,
  type Checkpoint,
  deleteParkedAbove,
  dropRewoundFrom,
  dropRewoundThrough,
  markStopped,
  readCheckpoint,
  readRecentBlocks,
  readRewound,
  rewind,
  Superseded,
  takeOver,
} from "./checkpoint.ts";
import { type ChainStep, type DeriverFilter, derive } from "./derive/derive.ts";
import type { BlockRef, ChainBlock, Deriver } from "./derive/deriver.ts";
import { emptyFilter, filterBlocks, matchesNothing, unionOfFilters } from "./derive/filters.ts";
import type { FollowerEvents } from "./follower-events.ts";
import type { Heads } from "./heads.ts";
import { RangePlanner } from "./range-planner.ts";
import { BlockNotFound, type Header, InvalidResponse } from "./source.ts";
import type { OpenSource } from "./viem/open-source.ts";

export interface FollowerParts {
  readonly network: Network;
  readonly follow: FollowSettings;
  readonly database: Database;
  readonly derivers: readonly Deriver[];
  readonly source: OpenSource;
  readonly heads: Heads;
  readonly events: FollowerEvents;
}

const retryMs = 500;
/**
 * First delay, in milliseconds, after a node did not have a block that it announced. It will have the block in a moment; the
 * delay doubles each time.
 */
const notFoundRetryMs = 10;
/** Interval at which the operator's requests are read, in milliseconds. */
const checkpointPollMs = 1_000;
const maxConcurrentBlocks = 32;

export class Follower {
  readonly #parts: FollowerParts;
  readonly #chainId: number;
  readonly #name: string;
  readonly #planner: RangePlanner;
  #notFoundInARow = 0;
  #epoch = 0;
  #checkpoint: Checkpoint = {
    epoch: 0,
    firstBlock: 0,
    number: -1,
    hash: undefined,
    stopped: undefined,
    rewindTo: undefined,
  };
  /** Blocks that may still leave the chain, highest last. */
  #recent = new Map<number, BlockRef>();
  /** Blocks that were committed before a rewind and have not been added again, highest first. */
  #rewound: readonly BlockRef[] = [];

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#chainId = parts.network.chainId;
    this.#name = parts.network.name;
    this.#planner = new RangePlanner(parts.follow.rangeBlocks);
  }

  /** Runs until the signal aborts or another replica takes over. Failures are reported and retried from the last commit. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, events } = this.#parts;
    this.#epoch = await takeOver(database, this.#chainId);
    let isUnreported = true;
    while (!signal.aborted) {
      try {
        await this.#readCheckpoint();
        if (this.#checkpoint.epoch !== this.#epoch) return;
        if (isUnreported) events.leadTaken(this.#name, this.#checkpoint.number);
        isUnreported = false;
        // Derivers may have work when their filters are read, even if no block arrives.
        await this.#deriverFilters();
        await this.#follow(signal);
      } catch (err) {
        if (signal.aborted) return;
        if (err instanceof ReorganisationTooDeep) await this.#stop(err.message).catch(() => {});
        // A head that left the chain while being read is not a failure. Neither is being superseded.
        else if (!(err instanceof BlockNotFound || err instanceof Superseded)) events.failed(this.#name, err);
        await sleep(this.#waitAfter(err), undefined, { signal }).catch(() => {});
        // Nodes do not announce a head twice, so poll for it.
        this.#parts.heads.pollNow();
      }
    }
  }

  #waitAfter(err: unknown): number {
    if (err instanceof Superseded) return 0;
    return err instanceof BlockNotFound
      ? Math.min(retryMs, notFoundRetryMs * 2 ** this.#notFoundInARow++)
      : retryMs;
  }

  async #readCheckpoint(): Promise<void> {
    const { database } = this.#parts;
    const checkpoint = await readCheckpoint(database, this.#chainId);
    if (checkpoint === undefined) throw new Superseded("the chain's checkpoint was removed");
    this.#checkpoint = checkpoint;
    this.#recent = new Map(
      (await readRecentBlocks(database, this.#chainId)).toReversed().map((block) => [block.number, block]),
    );
    this.#rewound = await readRewound(database, this.#chainId);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { heads, database } = this.#parts;
    let nextPollAt = 0;
    while (!signal.aborted) {
      if (this.#checkpoint.rewindTo !== undefined) await this.#rewind(this.#checkpoint.rewindTo);
      if (this.#checkpoint.stopped !== undefined) {
        await sleep(checkpointPollMs, undefined, { signal }).catch(() => {});
        await this.#readCheckpoint();
        continue;
      }
      const head = await heads.next(Math.min(checkpointPollMs, this.#parts.follow.pollMs), signal);
      if (head !== undefined) await this.#advanceTo(head, signal);
      if (performance.now() < nextPollAt) continue;
      nextPollAt = performance.now() + checkpointPollMs;
      const checkpoint = await readCheckpoint(database, this.#chainId);
      if (checkpoint?.rewindTo !== undefined || checkpoint?.stopped !== undefined)
        await this.#readCheckpoint();
    }
  }

  async #advanceTo(head: Header, signal: AbortSignal): Promise<void> {
    if (head.hash === this.#checkpoint.hash || this.#recent.get(head.number)?.hash === head.hash) return;
    const { window } = this.#parts.follow;
    // Blocks below the window cannot leave the chain.
    if (head.number - window > this.#checkpoint.number + 1)
      await this.#catchUp(head, head.number - window, signal);
    if (signal.aborted) return;
    const hashes = new Map<number, Hex>([...this.#recent].map(([number, { hash }]) => [number, hash]));
    const { ancestor, headers } = await findBranch(this.#parts.source, head, this.#checkpoint, hashes);
    const removed = [...this.#recent.values()].filter(({ number }) => number > ancestor).reverse();
    if (removed.length > 0 && !(await this.#isReorganisationConfirmed())) return;
    const deriverFilters = await this.#deriverFilters();
    const added = await this.#blocksOf(headers, deriverFilters);
    if (!(await this.#areFiltersCurrent(deriverFilters))) return this.#advanceTo(head, signal);
    const step: ChainStep = { chainId: this.#chainId, removed, added, includesEmptyBlocks: true };
    const { number } = head;
    const progress = { to: head, ancestor, blocks: headers, settled: number - window, head: number };
    await this.#commit(step, deriverFilters, progress);
    if (removed.length > 0) this.#parts.events.reorganised(this.#name, removed.length);
  }

  /** Asks the other nodes before blocks are undone, so that a node that lags or lies cannot cause a reorganisation. */
  async #isReorganisationConfirmed(): Promise<boolean> {
    const { number, hash } = this.#checkpoint;
    if (hash === undefined) return true;
    const { source } = this.#parts;
    const { yes, no } = await source.vote({ number, hash });
    if (yes <= no) return true;
    source.distrust("it has removed blocks that the other nodes still have");
    return false;
  }

  async #catchUp(head: Header, to: number, signal: AbortSignal): Promise<void> {
    const { source } = this.#parts;
    while (this.#checkpoint.number < to && !signal.aborted) {
      const deriverFilters = await this.#deriverFilters({ isRecent: false });
      const filter = unionOfFilters(deriverFilters.map((each) => each.filter));
      const ranges = backfill(source, {
        from: this.#checkpoint.number + 1,
        to,
        filter,
        planner: this.#planner,
      });
      for await (const range of ranges) {
        if (signal.aborted) return;
        if (!(await this.#areFiltersCurrent(deriverFilters, { isRecent: false }))) break;
        const { hash, number } = this.#checkpoint;
        if (hash !== undefined && range.parentHash !== hash) {
          if (!(await this.#hasLeftChain({ number, hash })))
            throw new InvalidResponse("the blocks do not form a chain");
          if (await this.#isReorganisationConfirmed()) await this.#undoToCommonAncestor(head);
          break;
        }
        const step: ChainStep = {
          chainId: this.#chainId,
          removed: [],
          added: range.blocks,
          includesEmptyBlocks: false,
        };
        const progress = {
          ancestor: number,
          blocks: range.blocks,
          settled: range.to.number,
          head: head.number,
        };
        await this.#commit(step, deriverFilters, { to: range.to, ...progress });
      }
    }
  }

  async #hasLeftChain({ number, hash }: Pick<BlockRef, "number" | "hash">): Promise<boolean> {
    const [header] = await this.#parts.source.headersByNumber([number]);
    return header?.hash !== hash;
  }

  /** Undoes blocks that left the chain while it was not followed, down to the highest block that is still on the chain. */
  async #undoToCommonAncestor(head: Header): Promise<void> {
    const recent = [...this.#recent.values()].reverse();
    const headers = await this.#parts.source.headersByNumber(recent.map(({ number }) => number));
    const current = new Set(headers.map(({ hash }) => hash));
    const to = recent.find(({ hash }) => current.has(hash));
    if (to === undefined)
      throw new ReorganisationTooDeep(
        `the chain has changed below block ${recent.at(-1)?.number ?? this.#checkpoint.number + 1}, the lowest block that the follower remembers`,
      );
    const removed = recent.filter(({ number }) => number > to.number);
    const step: ChainStep = { chainId: this.#chainId, removed, added: [], includesEmptyBlocks: false };
    await this.#commit(step, await this.#deriverFilters(), {
      to,
      ancestor: to.number,
      blocks: [],
      settled: to.number - this.#parts.follow.window,
      head: head.number,
    });
    this.#parts.events.reorganised(this.#name, removed.length);
  }

  async #blocksOf(
    headers: readonly Header[],
    deriverFilters: readonly DeriverFilter[],
  ): Promise<readonly ChainBlock[]> {
    const filter = unionOfFilters(deriverFilters.map((each) => each.filter));
    const blocks: ChainBlock[] = [];
    for (let start = 0; start < headers.length; start += maxConcurrentBlocks) {
      const batch = headers.slice(start, start + maxConcurrentBlocks);
      blocks.push(...(await Promise.all(batch.map((header) => this.#blockOf(header, filter)))));
    }
    return filterBlocks(blocks, { ...filter });
  }

  async #blockOf(header: Header, filter: ReturnType<typeof unionOfFilters>): Promise<ChainBlock> {
    const { source, follow } = this.#parts;
    const { number, hash, parentHash, timestamp, logsBloom } = header;
    const hasNoLogs =
      matchesNothing(filter) || (follow.checkBloom && !source.bloomFilters.mayContain(filter, logsBloom));
    return { number, hash, parentHash, timestamp, logs: hasNoLogs ? [] : await source.logsOfBlock(header) };
  }

  async #commit(
    step: ChainStep,
    deriverFilters: readonly DeriverFilter[],
    progress: Pick<Advance, "ancestor" | "blocks" | "settled" | "head"> & { readonly to: BlockRef },
  ): Promise<void> {
    const { database, events } = this.#parts;
    const [chainId, epoch, from] = [this.#chainId, this.#epoch, this.#checkpoint];
    const reapplied = this.#rewound.filter(({ number }) => number <= progress.to.number);
    if (reapplied.length > 0) await this.#undoRewound(reapplied, progress.blocks);
    const { after, parked } = await derive(database, step, deriverFilters, async (tx) => {
      if (step.removed.length > 0) await deleteParkedAbove(tx, chainId, progress.ancestor);
      if (reapplied.length > 0) await dropRewoundThrough(tx, chainId, progress.to.number);
      await advanceCheckpoint(tx, { chainId, epoch, from, ...progress });
    });
    if (reapplied.length > 0)
      this.#rewound = this.#rewound.filter(({ number }) => number > progress.to.number);
    for (const callback of after) callback();
    this.#notFoundInARow = 0;
    this.#checkpoint = { ...from, number: progress.to.number, hash: progress.to.hash };
    for (const { number } of step.removed) this.#recent.delete(number);
    for (const { number, hash, parentHash } of progress.blocks)
      this.#recent.set(number, { number, hash, parentHash });
    for (const number of this.#recent.keys()) {
      if (number > progress.settled) break;
      this.#recent.delete(number);
    }
    for (const { deriver, block, logIndex, reason } of parked)
      events.parked(this.#name, { deriver, block: block.number, logIndex, reason });
    const logs = step.added.reduce((sum, block) => sum + block.logs.length, 0);
    events.advanced(this.#name, {
      block: progress.to.number,
      head: progress.head,
      blocks: progress.to.number - progress.ancestor,
      logs,
    });
  }

  /** Undoes the rewound blocks that have left the chain, before `blocks` are added in their place. */
  async #undoRewound(reapplied: readonly BlockRef[], blocks: readonly BlockRef[]): Promise<void> {
    const { database, source, events } = this.#parts;
    const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
    const unknown = reapplied.map(({ number }) => number).filter((number) => !hashes.has(number));
    for (const { number, hash } of await source.headersByNumber(unknown)) hashes.set(number, hash);
    const lowest = reapplied.findLast(({ number, hash }) => hashes.get(number) !== hash)?.number;
    if (lowest === undefined) return;
    const removed = this.#rewound.filter(({ number }) => number >= lowest);
    const step: ChainStep = { chainId: this.#chainId, removed, added: [], includesEmptyBlocks: false };
    const { after } = await derive(database, step, await this.#deriverFilters(), (tx) =>
      dropRewoundFrom(tx, this.#chainId, this.#epoch, lowest),
    );
    for (const callback of after) callback();
    this.#rewound = this.#rewound.filter(({ number }) => number < lowest);
    events.reorganised(this.#name, removed.length);
  }

  /**
   * Restarts from a block, on an operator's request. If the follower stopped because of a reorganisation that was too deep, all
   * known blocks have left the chain and are undone first, so that derivers do not mistake the new blocks for the old ones.
   */
  async #rewind(requestedBlock: number): Promise<void> {
    const { database, events } = this.#parts;
    const removed =
      this.#checkpoint.stopped === undefined
        ? []
        : [...this.#rewound, ...[...this.#recent.values()].reverse()];
    const fromBlock = Math.min(requestedBlock, removed.at(-1)?.number ?? requestedBlock);
    const step: ChainStep = {
      chainId: this.#chainId,
      removed,
      added: [],
      includesEmptyBlocks: false,
    };
    const deriverFilters = await this.#deriverFilters();
    const { after } = await derive(database, step, deriverFilters, async (tx) => {
      await rewind(tx, this.#chainId, this.#epoch, fromBlock);
      if (removed.length > 0) await dropRewoundFrom(tx, this.#chainId, this.#epoch, fromBlock);
      for (const { deriver } of deriverFilters)
        await deriver.rewound({ ...tx, chainId: this.#chainId, isRecent: false }, fromBlock);
    });
    for (const callback of after) callback();
    if (removed.length > 0) events.reorganised(this.#name, removed.length);
    events.rewound(this.#name, fromBlock);
    await this.#readCheckpoint();
  }

  async #stop(why: string): Promise<void> {
    const { database, follow, events } = this.#parts;
    const reason = `${why} (window ${follow.window}); to continue, run: platform follow reindex ${this.#name} --from BLOCK`;
    await markStopped(database, this.#chainId, this.#epoch, reason);
    events.stopped(this.#name, reason);
  }

  async #deriverFilters({ isRecent } = { isRecent: true }): Promise<readonly DeriverFilter[]> {
    const { derivers } = this.#parts;
    return Promise.all(
      derivers.map(async (deriver) => {
        const filter = await deriver.logFilter(this.#chainId);
        return { deriver, filter: filter.recentOnly === true && !isRecent ? emptyFilter : filter };
      }),
    );
  }

  async #areFiltersCurrent(
    deriverFilters: readonly DeriverFilter[],
    options = { isRecent: true },
  ): Promise<boolean> {
    const now = await this.#deriverFilters(options);
    return now.every(({ filter }, index) => filter === deriverFilters[index]?.filter);
  }
}
