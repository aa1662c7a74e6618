/** Follows one chain while this replica leads. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../base/storage/database.ts";
import type { FollowSettings } from "../networks/follow.ts";
import type { Network } from "../networks/network.ts";
import type { Hex } from "../rpc/chain.ts";
import { findLostBlocks, hashesOf } from "./ancestor.ts";
import { LogArchive } from "./archive/archive.ts";
import type { ChunkContent } from "./archive/chunk.ts";
import { readRanges } from "./archive/read-ranges.ts";
import { deleteArchive } from "./archive/rows.ts";
import { findBranch, ReorganisationTooDeep } from "./branch.ts";
import {
  type Advance,
  advanceCheckpoint,
  type Checkpoint,
  deleteParkedAbove,
  dropRewoundFrom,
  dropRewoundThrough,
  historyBlocks,
  markStopped,
  readCheckpoint,
  readRecentBlocks,
  readRewound,
  rewind,
  Superseded,
  takeOver,
} from "./checkpoint.ts";
import { type ChainStep, type DeriverFilter, derive } from "./derive/derive.ts";
import type { BlockId, BlockRef, Deriver, LogFilter } from "./derive/deriver.ts";
import { areFiltersCurrent, readDeriverFilters } from "./derive/deriver-filters.ts";
import { unionOfFilters } from "./derive/filters.ts";
import { FinalityReporter } from "./finality-reporter.ts";
import type { FollowerEvents } from "./follower-events.ts";
import { readHeadBlocks } from "./head-blocks.ts";
import type { Heads } from "./heads.ts";
import { RangePlanner } from "./range-planner.ts";
import { BlockNotFound, type Header, InvalidResponse } from "./source.ts";
import { readStoredBlocks } from "./stored-blocks.ts";
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
/** Number of commits after which small chunks of the archive are merged. */
const commitsPerTidying = 64;

interface Progress extends Pick<Advance, "to" | "ancestor" | "blocks" | "settled" | "head"> {
  /** What nodes returned, for the archive. */
  readonly fetched?: { readonly contents: readonly ChunkContent[]; readonly filter: LogFilter };
  /** Whether the blocks are those of the archive, which are the blocks that were committed before. */
  readonly isArchived?: boolean;
}

export class Follower {
  readonly #parts: FollowerParts;
  readonly #chainId: number;
  readonly #name: string;
  readonly #planner: RangePlanner;
  readonly #finality: FinalityReporter;
  readonly #archive: LogArchive | undefined;
  #commitsUntilTidying = commitsPerTidying;
  #notFoundInARow = 0;
  #epoch = 0;
  #checkpoint: Checkpoint = {
    epoch: 0,
    firstBlock: 0,
    number: -1,
    hash: undefined,
    stopped: undefined,
    rewindTo: undefined,
    reportsFinality: false,
  };
  /** Blocks that may still leave the chain, highest last. */
  #recent = new Map<number, BlockRef>();
  /** Blocks that were committed before a rewind and have not been added again, highest first. */
  #rewound: readonly BlockId[] = [];

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#chainId = parts.network.chainId;
    this.#name = parts.network.name;
    this.#planner = new RangePlanner(parts.follow.rangeBlocks);
    const { database, derivers, source, follow, events } = parts;
    const [chainId, name] = [this.#chainId, this.#name];
    const { archive } = follow;
    if (archive !== undefined)
      this.#archive = new LogArchive({
        chainId,
        settings: archive,
        database,
        onDamaged: (from, to) => events.archiveDamaged(name, from, to),
      });
    this.#finality = new FinalityReporter({
      chainId,
      window: follow.window,
      database,
      derivers,
      source,
      hashOf: async (number) => (await this.#storedBlocks(number, number + 1))[0]?.hash,
      onFailure: (cause) => events.failed(name, cause),
    });
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
        // While it is off, nothing removes blocks that leave the chain from it.
        if (this.#archive === undefined) await deleteArchive(database, this.#chainId);
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
      if (head !== undefined) await this.#advanceOrHeal(head, signal);
      await this.#reportFinality();
      if (performance.now() < nextPollAt) continue;
      nextPollAt = performance.now() + checkpointPollMs;
      const checkpoint = await readCheckpoint(database, this.#chainId);
      if (checkpoint?.rewindTo !== undefined || checkpoint?.stopped !== undefined)
        await this.#readCheckpoint();
    }
  }

  async #advanceOrHeal(head: Header, signal: AbortSignal): Promise<void> {
    try {
      await this.#advanceTo(head, signal);
    } catch (err) {
      if (!(err instanceof ReorganisationTooDeep)) throw err;
      // Nodes do not announce a head twice.
      if (await this.#undoToCommonAncestor(head)) this.#parts.heads.pollNow();
    }
  }

  async #advanceTo(head: Header, signal: AbortSignal): Promise<void> {
    if (head.hash === this.#checkpoint.hash || this.#recent.get(head.number)?.hash === head.hash) return;
    const { source, follow } = this.#parts;
    const { window, checkBloom } = follow;
    // Blocks below the window cannot leave the chain.
    if (head.number - window > this.#checkpoint.number + 1)
      await this.#catchUp(head, head.number - window, signal);
    if (signal.aborted) return;
    const hashes = new Map<number, Hex>([...this.#recent].map(([number, { hash }]) => [number, hash]));
    const { ancestor, headers } = await findBranch(source, head, this.#checkpoint, hashes);
    const removed = [...this.#recent.values()].filter(({ number }) => number > ancestor).reverse();
    if (removed.length > 0 && !(await this.#isReorganisationConfirmed())) return;
    const deriverFilters = await this.#deriverFilters();
    const filter = this.#requestFilter(unionOfFilters(deriverFilters.map((each) => each.filter)));
    const added = await readHeadBlocks(source, headers, { filter, checkBloom });
    const chainId = this.#chainId;
    if (!(await areFiltersCurrent(deriverFilters, { chainId, isRecent: true })))
      return this.#advanceTo(head, signal);
    const step: ChainStep = { chainId, removed, added, includesEmptyBlocks: true };
    const { number } = head;
    // Each block by itself, because any of them may leave the chain.
    const contents = added.map((block) => ({
      from: block.number,
      to: block,
      parentHash: block.parentHash,
      blocks: [block],
    }));
    const progress = { to: head, ancestor, blocks: headers, settled: number - window, head: number };
    await this.#commit(step, deriverFilters, { ...progress, fetched: { contents, filter } });
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
    const chainId = this.#chainId;
    while (this.#checkpoint.number < to && !signal.aborted) {
      const deriverFilters = await this.#deriverFilters({ isRecent: false });
      const wanted = unionOfFilters(deriverFilters.map((each) => each.filter));
      const filter = this.#requestFilter(wanted);
      const ranges = readRanges(source, this.#archive, {
        from: this.#checkpoint.number + 1,
        to,
        wanted,
        filter,
        planner: this.#planner,
        ...this.#parts.follow,
      });
      for await (const range of ranges) {
        if (signal.aborted) return;
        if (!(await areFiltersCurrent(deriverFilters, { chainId, isRecent: false }))) break;
        const { hash, number } = this.#checkpoint;
        const { chunk } = range;
        if (hash !== undefined && range.parentHash !== undefined && range.parentHash !== hash) {
          if (chunk !== undefined) {
            await this.#archive?.remove(chunk);
            break;
          }
          if (!(await this.#hasLeftChain({ number, hash })))
            throw new InvalidResponse("the blocks do not form a chain");
          await this.#undoToCommonAncestor(head);
          break;
        }
        const step: ChainStep = {
          chainId,
          removed: [],
          added: range.blocks,
          includesEmptyBlocks: false,
        };
        const progress = {
          ancestor: number,
          blocks: range.blocks,
          settled: range.to.number,
          head: head.number,
          isArchived: chunk !== undefined,
          ...(range.chunk === undefined ? { fetched: { contents: [range], filter } } : {}),
        };
        await this.#commit(step, deriverFilters, { to: range.to, ...progress });
        await this.#reportFinality();
      }
    }
  }

  async #hasLeftChain({ number, hash }: Pick<BlockRef, "number" | "hash">): Promise<boolean> {
    const [header] = await this.#parts.source.headersByNumber([number]);
    return header?.hash !== hash;
  }

  /**
   * Undoes the blocks that left the chain, down to the highest stored block that is still part of it. Returns false if nothing was
   * undone, because the other nodes disagree or the node is only behind.
   */
  async #undoToCommonAncestor(head: Header): Promise<boolean> {
    if (!(await this.#isReorganisationConfirmed())) return false;
    const { source, follow, events } = this.#parts;
    const { number, firstBlock } = this.#checkpoint;
    const { ancestor, lost } = await findLostBlocks(source, head.number, this.#checkpoint, (from, below) =>
      this.#storedBlocks(from, below),
    );
    if (lost.every((block) => block.number > head.number)) return false;
    const lowest = lost.at(-1)?.number ?? number;
    if (ancestor === undefined && firstBlock < Math.max(number, head.number) - historyBlocks)
      throw new ReorganisationTooDeep(
        `all blocks that the follower knows, from ${lowest} on, left the chain; to continue, run: platform follow reindex ${this.#name} --from ${lowest}`,
      );
    const to = ancestor ?? { number: firstBlock - 1, hash: undefined };
    const step: ChainStep = { chainId: this.#chainId, removed: lost, added: [], includesEmptyBlocks: false };
    await this.#commit(step, await this.#deriverFilters(), {
      to,
      ancestor: to.number,
      blocks: [],
      settled: to.number - follow.window,
      head: head.number,
    });
    events.reorganised(this.#name, number - to.number);
    return true;
  }

  #storedBlocks(from: number, below: number): Promise<readonly BlockId[]> {
    const { database, derivers } = this.#parts;
    const options = { chainId: this.#chainId, recent: this.#recent.values(), derivers };
    return readStoredBlocks(database, options, { from, below });
  }

  async #reportFinality(): Promise<void> {
    const reportsFinality = await this.#finality.report({ ...this.#checkpoint, epoch: this.#epoch });
    this.#checkpoint = { ...this.#checkpoint, reportsFinality };
  }

  async #commit(
    step: ChainStep,
    deriverFilters: readonly DeriverFilter[],
    progress: Progress,
  ): Promise<void> {
    const { database, events } = this.#parts;
    const [chainId, epoch, from] = [this.#chainId, this.#epoch, this.#checkpoint];
    const reapplied = this.#rewound.filter(({ number }) => number <= progress.to.number);
    if (reapplied.length > 0) await this.#undoRewound(reapplied, progress);
    const { fetched } = progress;
    const chunks = fetched && this.#archive?.encode(fetched.contents, fetched.filter);
    // Marks a rejection as handled: it is thrown below.
    chunks?.catch(() => {});
    const { after, parked } = await derive(database, step, deriverFilters, async (tx) => {
      if (step.removed.length > 0) {
        await deleteParkedAbove(tx, chainId, progress.ancestor);
        await this.#archive?.removeAbove(tx, progress.ancestor);
      }
      if (reapplied.length > 0) await dropRewoundThrough(tx, chainId, progress.to.number);
      await advanceCheckpoint(tx, { chainId, epoch, from, ...progress });
      if (chunks !== undefined) await this.#archive?.store(tx, await chunks);
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
    if (this.#archive === undefined || --this.#commitsUntilTidying > 0) return;
    this.#commitsUntilTidying = commitsPerTidying;
    await this.#archive.tidy(progress.settled, epoch);
  }

  #requestFilter(filter: LogFilter): LogFilter {
    return this.#archive?.requestFilter(filter) ?? filter;
  }

  /** Undoes the rewound blocks that have left the chain, before `blocks` are added in their place. */
  async #undoRewound(
    reapplied: readonly BlockId[],
    { blocks, isArchived }: Pick<Progress, "blocks" | "isArchived">,
  ): Promise<void> {
    const { database, source, events } = this.#parts;
    const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
    const unknown = reapplied.map(({ number }) => number).filter((number) => !hashes.has(number));
    if (isArchived !== true)
      for (const [number, hash] of await hashesOf(source, unknown)) hashes.set(number, hash);
    const lowest = reapplied.findLast(({ number, hash }) => (hashes.get(number) ?? hash) !== hash)?.number;
    if (lowest === undefined) return;
    const removed = this.#rewound.filter(({ number }) => number >= lowest);
    const step: ChainStep = { chainId: this.#chainId, removed, added: [], includesEmptyBlocks: false };
    const { after } = await derive(database, step, await this.#deriverFilters(), async (tx) => {
      await dropRewoundFrom(tx, this.#chainId, this.#epoch, lowest);
      await this.#archive?.removeAbove(tx, lowest - 1);
    });
    for (const callback of after) callback();
    this.#rewound = this.#rewound.filter(({ number }) => number < lowest);
    events.reorganised(this.#name, removed.length);
  }

  /**
   * Restarts from a block, on an operator's request. The stored blocks from there on are compared with the chain when their numbers
   * are reached again. If the follower stopped, that includes all blocks that it knows.
   */
  async #rewind(requestedBlock: number): Promise<void> {
    const { database, events, derivers } = this.#parts;
    const { stopped, firstBlock, number } = this.#checkpoint;
    const lowest =
      stopped === undefined ? undefined : (await this.#storedBlocks(firstBlock, number + 1)).at(-1)?.number;
    const fromBlock = Math.min(requestedBlock, lowest ?? requestedBlock);
    const [chainId, epoch] = [this.#chainId, this.#epoch];
    await database.transaction(async (tx) => {
      const range = { from: fromBlock, below: number + 1 };
      const blocksWithRecords: BlockId[] = [];
      for (const deriver of derivers)
        blocksWithRecords.push(...((await deriver.blocksWithRecords?.(tx, chainId, range)) ?? []));
      await rewind(tx, { chainId, epoch, fromBlock, blocksWithRecords });
      for (const deriver of derivers) await deriver.rewound({ ...tx, chainId, isRecent: false }, fromBlock);
    });
    events.rewound(this.#name, fromBlock);
    await this.#readCheckpoint();
  }

  async #stop(reason: string): Promise<void> {
    const { database, events } = this.#parts;
    await markStopped(database, this.#chainId, this.#epoch, reason);
    events.stopped(this.#name, reason);
  }

  #deriverFilters({ isRecent } = { isRecent: true }): Promise<readonly DeriverFilter[]> {
    return readDeriverFilters(this.#parts.derivers, { chainId: this.#chainId, isRecent });
  }
}
