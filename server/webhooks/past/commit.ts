import type { Database } from "../../base/storage/database.ts";
import type { ContractTypeOf } from "../../chain/follower/derive/deriver.ts";
import { announce } from "../announce.ts";
import type { Matcher } from "../matching/matcher.ts";
import { storeNotifications } from "../notifications.ts";
import { collectEvents } from "../notify/collect-events.ts";
import type { NearMiss, NearMissCounter } from "../notify/near-miss-counts.ts";
import { lockNetwork } from "../notify/network-row.ts";
import {
  advancePastRead,
  endPastRead,
  type FollowerCheckpoint,
  lockPastRead,
  type PastListener,
} from "../past-reads.ts";
import type { PastRange } from "./past-blocks.ts";

export interface CommitDependencies {
  readonly database: Database;
  readonly contractTypeOf: ContractTypeOf;
  readonly nearMisses: NearMissCounter;
  readonly wake: (hosts: readonly string[]) => void;
  readonly onNearMiss: (miss: NearMiss) => void;
}

export interface PastStep {
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
  const { database, contractTypeOf, nearMisses, wake, onNearMiss } = dependencies;
  const { chainId, listener, matcher, next, range, checkpoint } = step;
  await detectTypes(dependencies, step);
  const done = await database.transaction(async (queries) => {
    const tx = { ...queries, chainId, isRecent: false };
    const network = await lockNetwork(tx);
    const current = network && (await lockPastRead(tx, chainId, { next, listener, checkpoint }));
    if (network === undefined || current === undefined) return undefined;
    const { head } = current;
    const { events, hosts, misses } = await collectEvents(tx, range.blocks, {
      matcher,
      contractTypeOf,
      head,
    });
    if (events.length > 0) await storeNotifications(tx, network, { events, lastBlock: -1, head });
    const counted = await nearMisses.store(tx, misses);
    // The follower has read up to its checkpoint and no further, and passes the next block even if it has no logs.
    const isAtHead = range.to === current.number && current.number === head;
    // Blocks that are added again after a restart of the follower are not notified.
    const isEnded = isAtHead && current.number >= network.mutedThrough;
    if (isEnded) await endPastRead(tx, chainId, listener.id);
    else await advancePastRead(tx, listener.id, range.to + 1);
    return { isEnded, counted, announced: await announce(tx, hosts, wake) };
  });
  if (done === undefined) return "stale";
  done.announced?.();
  done.counted?.committed();
  for (const each of done.counted?.toReport ?? []) onNearMiss(each);
  return done.isEnded ? "ended" : "moved";
}
