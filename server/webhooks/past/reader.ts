/** Reads the past of a chain's listeners, on the replica that follows the chain. */

import { loadKeccak } from "../../base/keccak.ts";
import { pause } from "../../base/repeat.ts";
import type { Database } from "../../base/storage/database.ts";
import type { FollowedChain } from "../../chain/follower/chain-task.ts";
import type { ChainBlock } from "../../chain/follower/derive/blocks.ts";
import type { ContractTypeOf } from "../../chain/follower/derive/deriver.ts";
import { RangePlanner } from "../../chain/follower/range-planner.ts";
import { BlockNotFound } from "../../chain/follower/source.ts";
import { createEventReader, subscriptionOf } from "../filters.ts";
import { Matcher, type SubscribedEvent } from "../matching/matcher.ts";
import { announce, lockNetwork, storeNotifications } from "../notifications.ts";
import { collectEvents } from "../notify/collect-events.ts";
import {
  advancePastRead,
  deleteOrphans,
  endPastRead,
  type FollowerCheckpoint,
  hasRoom,
  listPastReads,
  lockPastRead,
  type PastListener,
  type PastRead,
  readFollowerCheckpoint,
  readPastListener,
} from "../past-progress.ts";
import { type BlocksReader, type PastRange, readPast } from "./past-blocks.ts";

interface PastDependencies extends CommitDependencies {
  readonly onEnd: (chain: string, listenerId: number) => void;
  readonly onFailure: (chain: string, cause: unknown) => void;
}

/** Interval at which listeners with unread past blocks are looked for, and the pause after a failure, in milliseconds. */
const pollMs = 1_000;

/** How long one listener is read for while others wait, in milliseconds. */
const turnMs = 10_000;

/** Most logs that are committed together, unless one block has more: the follower waits for the commit. */
const maxLogsPerCommit = 1_000;

/** Reads until the signal aborts. Never throws. */
export async function readPastBlocks(dependencies: PastDependencies, followed: FollowedChain): Promise<void> {
  const { signal, network } = followed;
  let reader: PastReader | undefined;
  while (!signal.aborted) {
    try {
      const [reads, checkpoint] = await findPastReads(dependencies, network.chainId);
      if (checkpoint !== undefined && reads.length > 0) {
        reader ??= await openReader(dependencies, followed);
        if (await reader.takeTurn(reads, checkpoint)) continue;
      }
    } catch (err) {
      if (signal.aborted) return;
      // A block that a node does not have, or no longer has, is not a failure.
      if (!(err instanceof BlockNotFound)) dependencies.onFailure(network.name, err);
    }
    await pause(pollMs, signal);
  }
}

async function findPastReads(
  { database }: PastDependencies,
  chainId: number,
): Promise<readonly [readonly PastRead[], FollowerCheckpoint | undefined]> {
  const checkpoint = await readFollowerCheckpoint(database, chainId);
  return checkpoint === undefined
    ? [[], undefined]
    : [await listPastReads(database, chainId, checkpoint.number + 1), checkpoint];
}

async function openReader(dependencies: PastDependencies, followed: FollowedChain): Promise<PastReader> {
  const { network, follow, meteredNodes, signal } = followed;
  const { database } = dependencies;
  const { chainId } = network;
  await deleteOrphans(database);
  const { openSource } = await import("../../chain/follower/viem/open-source.ts");
  const blocks: BlocksReader = {
    chainId,
    database,
    follow,
    source: await openSource(network, { meteredNodes, share: "background", signal }),
    planner: new RangePlanner(follow.rangeBlocks),
  };
  return new PastReader({
    dependencies,
    followed,
    blocks,
    readEvent: createEventReader(await loadKeccak()),
  });
}

interface PastReaderDependencies {
  readonly dependencies: PastDependencies;
  readonly followed: FollowedChain;
  readonly blocks: BlocksReader;
  readonly readEvent: (text: string) => SubscribedEvent;
}

class PastReader {
  readonly #dependencies: PastReaderDependencies;
  readonly #rotation = new Rotation();

  constructor(dependencies: PastReaderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Reads for the listener that waited longest. Returns false if nothing can be read now. */
  async takeTurn(reads: readonly PastRead[], checkpoint: FollowerCheckpoint): Promise<boolean> {
    this.#rotation.retain(reads);
    for (const read of this.#rotation.order(reads)) {
      if (read.next > checkpoint.number && checkpoint.number < checkpoint.head) continue;
      if (!(await hasRoom(this.#dependencies.dependencies.database, read.listenerId))) continue;
      this.#rotation.served(read);
      if (await this.#read(read, checkpoint)) return true;
    }
    return false;
  }

  /** Returns whether anything was committed. */
  async #read({ listenerId, next }: PastRead, checkpoint: FollowerCheckpoint): Promise<boolean> {
    const { dependencies, followed, blocks, readEvent } = this.#dependencies;
    let endsAt = performance.now() + turnMs;
    const { signal } = followed;
    const { chainId, name } = followed.network;
    const listener = await readPastListener(dependencies.database, listenerId);
    if (listener === undefined) return false;
    const matcher = new Matcher();
    const subscription = subscriptionOf(listener, readEvent);
    matcher.set(subscription);
    const filter = {
      addresses: new Set(subscription.addresses as `0x${string}`[]),
      topics: new Set(subscription.events.map(({ event }) => event.topicHash)),
      indexInTransaction: true,
    };
    let first = next;
    for await (const range of inSteps(readPast(blocks, next, filter, checkpoint))) {
      signal.throwIfAborted();
      const step = { chainId, listener, matcher, next: first, range, checkpoint, signal };
      const committed = await commitPast(dependencies, step);
      if (committed === "stale") break;
      if (committed === "ended") dependencies.onEnd(name, listenerId);
      first = range.to + 1;
      if (!(await hasRoom(dependencies.database, listenerId))) break;
      if (performance.now() < endsAt) continue;
      if ((await listPastReads(dependencies.database, chainId, checkpoint.number)).length > 1) break;
      endsAt += turnMs;
    }
    return first > next;
  }
}

/** Splits ranges with many logs. */
async function* inSteps(ranges: AsyncIterable<PastRange>): AsyncGenerator<PastRange> {
  for await (const { blocks, to } of ranges) {
    let step: ChainBlock[] = [];
    let logs = 0;
    for (const block of blocks) {
      if (logs > 0 && logs + block.logs.length > maxLogsPerCommit) {
        yield { blocks: step, to: block.number - 1 };
        [step, logs] = [[], 0];
      }
      step.push(block);
      logs += block.logs.length;
    }
    yield { blocks: step, to };
  }
}

/* Whose past is read next: projects take turns, and so do the listeners of a project. */

export class Rotation {
  readonly #turns = new Map<string, number>();
  #turn = 0;

  /** Those who waited longest first. */
  order(entries: readonly PastRead[]): readonly PastRead[] {
    const turnOf = (key: string): number => this.#turns.get(key) ?? 0;
    return entries.toSorted(
      (a, b) =>
        turnOf(projectKey(a)) - turnOf(projectKey(b)) ||
        turnOf(listenerKey(a)) - turnOf(listenerKey(b)) ||
        a.listenerId - b.listenerId,
    );
  }

  served(entry: PastRead): void {
    this.#turn++;
    this.#turns.set(projectKey(entry), this.#turn);
    this.#turns.set(listenerKey(entry), this.#turn);
  }

  /** Forgets those who no longer wait. */
  retain(entries: readonly PastRead[]): void {
    const keys = new Set(entries.flatMap((entry) => [projectKey(entry), listenerKey(entry)]));
    for (const key of this.#turns.keys()) if (!keys.has(key)) this.#turns.delete(key);
  }
}

function projectKey({ projectId }: PastRead): string {
  return `project ${projectId}`;
}

function listenerKey({ listenerId }: PastRead): string {
  return `listener ${listenerId}`;
}

interface CommitDependencies {
  readonly database: Database;
  readonly contractTypeOf: ContractTypeOf;
  readonly wake: (destinations: readonly string[]) => void;
}

interface PastStep {
  readonly chainId: number;
  readonly listener: PastListener;
  readonly matcher: Matcher;
  /** The first block of the range. */
  readonly next: number;
  readonly range: PastRange;
  /** The checkpoint before which the range was read. */
  readonly checkpoint: FollowerCheckpoint;
  /** Until the transaction begins, the step fails when it aborts. */
  readonly signal: AbortSignal;
}

/** `stale`: nothing was stored, because the range is no longer what the listener lacks. `ended`: the listener has joined the others. */
export type Committed = "moved" | "ended" | "stale";

/** Contracts whose types are detected at the same time. */
const maxConcurrentTypes = 8;

/**
 * Detects the types of contracts before the network's row is locked. A range may have the logs of many new contracts, each of which takes
 * requests, and the follower would wait for all of them.
 */
async function detectTypes(
  { database, contractTypeOf }: Pick<CommitDependencies, "database" | "contractTypeOf">,
  { chainId, range, signal }: Pick<PastStep, "chainId" | "range" | "signal">,
): Promise<void> {
  const queries = { query: database.query.bind(database), chainId };
  const addresses = [...new Set(range.blocks.flatMap(({ logs }) => logs.map(({ address }) => address)))];
  for (let start = 0; start < addresses.length; start += maxConcurrentTypes) {
    signal.throwIfAborted();
    const some = addresses.slice(start, start + maxConcurrentTypes);
    await Promise.all(some.map((address) => contractTypeOf(queries, address)));
  }
}

/** Stores the notifications of a range together with the listener's progress, so that each block is notified once. */
export async function commitPast(dependencies: CommitDependencies, step: PastStep): Promise<Committed> {
  const { database, contractTypeOf, wake } = dependencies;
  const { chainId, listener, matcher, next, range, checkpoint } = step;
  await detectTypes(dependencies, step);
  const done = await database.transaction(async (queries) => {
    const tx = { ...queries, chainId, isRecent: false };
    const network = await lockNetwork(tx);
    const current = network && (await lockPastRead(tx, chainId, { next, listener, checkpoint }));
    if (network === undefined || current === undefined) return undefined;
    const { head } = current;
    const { events, destinations } = await collectEvents(tx, range.blocks, {
      matcher,
      contractTypeOf,
      head,
    });
    if (events.length > 0) await storeNotifications(tx, network, { events, lastBlock: -1, head });
    // The follower has read up to its checkpoint and no further, and passes the next block even if it has no logs.
    const isAtHead = range.to === current.number && current.number === head;
    // Blocks that are added again after a restart of the follower are not notified.
    const isEnded = isAtHead && current.number >= network.mutedThrough;
    if (isEnded) await endPastRead(tx, chainId, listener.id);
    else await advancePastRead(tx, listener.id, range.to + 1);
    return { isEnded, announced: await announce(tx, destinations, wake) };
  });
  if (done === undefined) return "stale";
  done.announced?.();
  return done.isEnded ? "ended" : "moved";
}
