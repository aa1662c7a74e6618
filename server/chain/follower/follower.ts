/** Follows one chain for as long as this replica leads. */
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
import { RangeSize } from "./range-size.ts";
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

/** After a failure, in milliseconds. */
const againMs = 500;
/** After a node did not have what it told of, which it will have in a moment: doubled each time. */
const againSoonMs = 10;
/** How often an operator's wish is looked for while emptyFilter else happens, in milliseconds. */
const lookMs = 1_000;
/** Questions for the logs of blocks under way. */
const blocksAtOnce = 32;

export class Follower {
  readonly #parts: FollowerParts;
  readonly #chainId: number;
  readonly #name: string;
  readonly #size: RangeSize;
  /** How often in a row something was not there. */
  #misses = 0;
  #epoch = 0;
  #place: Checkpoint = {
    epoch: 0,
    firstBlock: 0,
    number: -1,
    hash: undefined,
    stopped: undefined,
    rewindTo: undefined,
  };
  /** Hashes of the blocks that may still leave, the highest last. */
  #kept = new Map<number, BlockRef>();
  /** Blocks that were told before a rewind and have not come again yet, the highest first. */
  #rewound: readonly BlockRef[] = [];

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#chainId = parts.network.chainId;
    this.#name = parts.network.name;
    this.#size = new RangeSize(parts.follow.rangeBlocks);
  }

  /** Works until the signal, or somebody else takes over. Failures are told and tried again; what was committed is where it goes on. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, events } = this.#parts;
    this.#epoch = await takeOver(database, this.#chainId);
    let isNew = true;
    while (!signal.aborted) {
      try {
        await this.#readPlace();
        if (this.#place.epoch !== this.#epoch) return;
        if (isNew) events.leadTaken(this.#name, this.#place.number);
        isNew = false;
        // Derivers may have something to do whether or not a block comes.
        await this.#wanting();
        await this.#follow(signal);
      } catch (err) {
        if (signal.aborted) return;
        if (err instanceof ReorganisationTooDeep) await this.#stop(err.message).catch(() => {});
        // A head that left the chain while it was looked at, and an operator's wish, are no failures.
        else if (!(err instanceof BlockNotFound || err instanceof Superseded)) events.failed(this.#name, err);
        await sleep(this.#waitAfter(err), undefined, { signal }).catch(() => {});
        // What was told is not told again.
        this.#parts.heads.pollNow();
      }
    }
  }

  #waitAfter(err: unknown): number {
    if (err instanceof Superseded) return 0;
    return err instanceof BlockNotFound ? Math.min(againMs, againSoonMs * 2 ** this.#misses++) : againMs;
  }

  async #readPlace(): Promise<void> {
    const { database } = this.#parts;
    const place = await readCheckpoint(database, this.#chainId);
    if (place === undefined) throw new Superseded("the place of the chain is gone");
    this.#place = place;
    this.#kept = new Map(
      (await readRecentBlocks(database, this.#chainId)).toReversed().map((block) => [block.number, block]),
    );
    this.#rewound = await readRewound(database, this.#chainId);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { heads, database } = this.#parts;
    let lookAt = 0;
    while (!signal.aborted) {
      if (this.#place.rewindTo !== undefined) await this.#rewind(this.#place.rewindTo);
      if (this.#place.stopped !== undefined) {
        await sleep(lookMs, undefined, { signal }).catch(() => {});
        await this.#readPlace();
        continue;
      }
      const head = await heads.next(Math.min(lookMs, this.#parts.follow.pollMs), signal);
      if (head !== undefined) await this.#reach(head, signal);
      if (performance.now() < lookAt) continue;
      lookAt = performance.now() + lookMs;
      const place = await readCheckpoint(database, this.#chainId);
      if (place?.rewindTo !== undefined || place?.stopped !== undefined) await this.#readPlace();
    }
  }

  /** Goes from the place to this head, by whatever way. */
  async #reach(head: Header, signal: AbortSignal): Promise<void> {
    if (head.hash === this.#place.hash || this.#kept.get(head.number)?.hash === head.hash) return;
    const { window } = this.#parts.follow;
    // Below the window emptyFilter leaves the chain any more.
    if (head.number - window > this.#place.number + 1)
      await this.#catchUp(head, head.number - window, signal);
    if (signal.aborted) return;
    const hashes = new Map<number, Hex>([...this.#kept].map(([number, { hash }]) => [number, hash]));
    const { ancestor, headers } = await findBranch(this.#parts.source, head, this.#place, hashes);
    const removed = [...this.#kept.values()].filter(({ number }) => number > ancestor).reverse();
    if (removed.length > 0 && !(await this.#isAgreed())) return;
    const wanting = await this.#wanting();
    const added = await this.#blocksOf(headers, wanting);
    if (!(await this.#isStillWanted(wanting))) return this.#reach(head, signal);
    const step: ChainStep = { chainId: this.#chainId, removed, added, includesEmptyBlocks: true };
    const { number } = head;
    const way = { to: head, ancestor, blocks: headers, settled: number - window, head: number };
    await this.#commit(step, wanting, way);
    if (removed.length > 0) this.#parts.events.reorganised(this.#name, removed.length);
  }

  /** Before blocks are undone the other nodes are asked: one that lags or lies is not followed on its way. */
  async #isAgreed(): Promise<boolean> {
    const { number, hash } = this.#place;
    if (hash === undefined) return true;
    const { source } = this.#parts;
    const { yes, no } = await source.vote({ number, hash });
    if (yes <= no) return true;
    source.distrust("it says that blocks have left which the other nodes still have");
    return false;
  }

  async #catchUp(head: Header, to: number, signal: AbortSignal): Promise<void> {
    const { source } = this.#parts;
    while (this.#place.number < to && !signal.aborted) {
      const wanting = await this.#wanting({ isRecent: false });
      const filter = unionOfFilters(wanting.map((each) => each.filter));
      const ranges = backfill(source, { from: this.#place.number + 1, to, filter, size: this.#size });
      for await (const range of ranges) {
        if (signal.aborted) return;
        if (!(await this.#isStillWanted(wanting, { isRecent: false }))) break;
        const { hash, number } = this.#place;
        if (hash !== undefined && range.parentHash !== hash) {
          if (!(await this.#hasLeft({ number, hash })))
            throw new InvalidResponse("blocks do not hang together");
          if (await this.#isAgreed()) await this.#stepBack(head);
          break;
        }
        const step: ChainStep = {
          chainId: this.#chainId,
          removed: [],
          added: range.blocks,
          includesEmptyBlocks: false,
        };
        const way = { ancestor: number, blocks: range.blocks, settled: range.to.number, head: head.number };
        await this.#commit(step, wanting, { to: range.to, ...way });
      }
    }
  }

  async #hasLeft({ number, hash }: Pick<BlockRef, "number" | "hash">): Promise<boolean> {
    const [header] = await this.#parts.source.headersByNumber([number]);
    return header?.hash !== hash;
  }

  /** What left the chain while nobody followed it is undone, back to the highest block that is still there. */
  async #stepBack(head: Header): Promise<void> {
    const kept = [...this.#kept.values()].reverse();
    const headers = await this.#parts.source.headersByNumber(kept.map(({ number }) => number));
    const today = new Set(headers.map(({ hash }) => hash));
    const to = kept.find(({ hash }) => today.has(hash));
    if (to === undefined)
      throw new ReorganisationTooDeep(
        `the chain has changed below block ${kept.at(-1)?.number ?? this.#place.number + 1}, the lowest that is kept`,
      );
    const removed = kept.filter(({ number }) => number > to.number);
    const step: ChainStep = { chainId: this.#chainId, removed, added: [], includesEmptyBlocks: false };
    await this.#commit(step, await this.#wanting(), {
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
    wanting: readonly DeriverFilter[],
  ): Promise<readonly ChainBlock[]> {
    const filter = unionOfFilters(wanting.map((each) => each.filter));
    const blocks: ChainBlock[] = [];
    for (let start = 0; start < headers.length; start += blocksAtOnce) {
      const some = headers.slice(start, start + blocksAtOnce);
      blocks.push(...(await Promise.all(some.map((header) => this.#blockOf(header, filter)))));
    }
    return filterBlocks(blocks, { ...filter });
  }

  async #blockOf(header: Header, filter: ReturnType<typeof unionOfFilters>): Promise<ChainBlock> {
    const { source, follow } = this.#parts;
    const { number, hash, parentHash, timestamp, logsBloom } = header;
    const isQuiet =
      matchesNothing(filter) || (follow.checkBloom && !source.bloomFilters.mayContain(filter, logsBloom));
    return { number, hash, parentHash, timestamp, logs: isQuiet ? [] : await source.logsOfBlock(header) };
  }

  async #commit(
    step: ChainStep,
    wanting: readonly DeriverFilter[],
    way: Pick<Advance, "ancestor" | "blocks" | "settled" | "head"> & { readonly to: BlockRef },
  ): Promise<void> {
    const { database, events } = this.#parts;
    const [chainId, epoch, from] = [this.#chainId, this.#epoch, this.#place];
    const comesAgain = this.#rewound.filter(({ number }) => number <= way.to.number);
    if (comesAgain.length > 0) await this.#takeBackRewound(comesAgain, way.blocks);
    const { after, parked } = await derive(database, step, wanting, async (tx) => {
      if (step.removed.length > 0) await deleteParkedAbove(tx, chainId, way.ancestor);
      if (comesAgain.length > 0) await dropRewoundThrough(tx, chainId, way.to.number);
      await advanceCheckpoint(tx, { chainId, epoch, from, ...way });
    });
    if (comesAgain.length > 0) this.#rewound = this.#rewound.filter(({ number }) => number > way.to.number);
    for (const callback of after) callback();
    this.#misses = 0;
    this.#place = { ...from, number: way.to.number, hash: way.to.hash };
    for (const { number } of step.removed) this.#kept.delete(number);
    for (const { number, hash, parentHash } of way.blocks)
      this.#kept.set(number, { number, hash, parentHash });
    for (const number of this.#kept.keys()) {
      if (number > way.settled) break;
      this.#kept.delete(number);
    }
    for (const { deriver, block, logIndex, reason } of parked)
      events.parked(this.#name, { deriver, block: block.number, logIndex, reason });
    const logs = step.added.reduce((sum, block) => sum + block.logs.length, 0);
    events.advanced(this.#name, {
      block: way.to.number,
      head: way.head,
      blocks: way.to.number - way.ancestor,
      logs,
    });
  }

  /** What left the chain between a rewind and now is undone before anything comes in its place. `blocks` are about to come. */
  async #takeBackRewound(comesAgain: readonly BlockRef[], blocks: readonly BlockRef[]): Promise<void> {
    const { database, source, events } = this.#parts;
    const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
    const unknown = comesAgain.map(({ number }) => number).filter((number) => !hashes.has(number));
    for (const { number, hash } of await source.headersByNumber(unknown)) hashes.set(number, hash);
    const lowest = comesAgain.findLast(({ number, hash }) => hashes.get(number) !== hash)?.number;
    if (lowest === undefined) return;
    const removed = this.#rewound.filter(({ number }) => number >= lowest);
    const step: ChainStep = { chainId: this.#chainId, removed, added: [], includesEmptyBlocks: false };
    const { after } = await derive(database, step, await this.#wanting(), (tx) =>
      dropRewoundFrom(tx, this.#chainId, this.#epoch, lowest),
    );
    for (const callback of after) callback();
    this.#rewound = this.#rewound.filter(({ number }) => number < lowest);
    events.reorganised(this.#name, removed.length);
  }

  /**
   * All from a block on is given once more. Where the chain has changed below what is kept, all of that has left, and is undone
   * first: nobody may take what comes in its place for what was told before.
   */
  async #rewind(wanted: number): Promise<void> {
    const { database, events } = this.#parts;
    const gone =
      this.#place.stopped === undefined ? [] : [...this.#rewound, ...[...this.#kept.values()].reverse()];
    const fromBlock = Math.min(wanted, gone.at(-1)?.number ?? wanted);
    const step: ChainStep = { chainId: this.#chainId, removed: gone, added: [], includesEmptyBlocks: false };
    const wanting = await this.#wanting();
    const { after } = await derive(database, step, wanting, async (tx) => {
      await rewind(tx, this.#chainId, this.#epoch, fromBlock);
      if (gone.length > 0) await dropRewoundFrom(tx, this.#chainId, this.#epoch, fromBlock);
      for (const { deriver } of wanting)
        await deriver.rewound({ ...tx, chainId: this.#chainId, isRecent: false }, fromBlock);
    });
    for (const callback of after) callback();
    if (gone.length > 0) events.reorganised(this.#name, gone.length);
    events.rewound(this.#name, fromBlock);
    await this.#readPlace();
  }

  async #stop(why: string): Promise<void> {
    const { database, follow, events } = this.#parts;
    const reason = `${why} (window ${follow.window}); to go on: platform follow reindex ${this.#name} --from BLOCK`;
    await markStopped(database, this.#chainId, this.#epoch, reason);
    events.stopped(this.#name, reason);
  }

  async #wanting({ isRecent } = { isRecent: true }): Promise<readonly DeriverFilter[]> {
    const { derivers } = this.#parts;
    return Promise.all(
      derivers.map(async (deriver) => {
        const filter = await deriver.logFilter(this.#chainId);
        return { deriver, filter: filter.recentOnly === true && !isRecent ? emptyFilter : filter };
      }),
    );
  }

  async #isStillWanted(wanting: readonly DeriverFilter[], blocks = { isRecent: true }): Promise<boolean> {
    const now = await this.#wanting(blocks);
    return now.every(({ filter }, index) => filter === wanting[index]?.filter);
  }
}
