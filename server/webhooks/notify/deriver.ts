import { loadKeccak } from "../../base/keccak.ts";
import type { Queries } from "../../base/storage/database.ts";
import { DatabaseFault } from "../../base/storage/fault.ts";
import type {
  AfterCommit,
  BlockId,
  ChainBlock,
  ChainTransaction,
  ContractTypeOf,
  Deriver,
  LogFilter,
} from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { announce } from "../announce.ts";
import { createEventReader } from "../filters.ts";
import type { SubscribedEvent } from "../matching/subscription.ts";
import { storeNotifications } from "../notifications.ts";
import { restartPastReads } from "../past-reads.ts";
import { collectEvents, openNearMissCounter } from "./collect-events.ts";
import { awaitsFinality, release, releaseConfirmed } from "./held.ts";
import { unmutedBlocks, withoutNotified } from "./muted-blocks.ts";
import type { NearMiss, NearMissCounter } from "./near-miss-counts.ts";
import { lockNetwork } from "./network-row.ts";
import { storeRemovals } from "./removal.ts";
import { isWithin, ListenerSnapshot } from "./snapshot.ts";

const name = "webhooks";

export interface WebhookDeriverDependencies {
  readonly database: Queries;
  readonly contractTypeOf: ContractTypeOf;
  /** Called after notifications for these hosts were committed. */
  readonly wake: (hosts: readonly string[]) => void;
  /** Called the first time that a listener's event is logged with other indexed arguments than the listener declares. */
  readonly onNearMiss: (miss: NearMiss) => void;
}

/**
 * Stores notifications in the follower's transaction. Locks the network's row, as every change of a listener does. A listener
 * therefore gets all events of a block or none, and a new listener starts with the next block.
 */
export function createWebhookDeriver({
  database,
  contractTypeOf,
  wake,
  onNearMiss,
}: WebhookDeriverDependencies): Deriver {
  const snapshots = new Map<number, Promise<ListenerSnapshot>>();
  let readEvent: ((text: string) => SubscribedEvent) | undefined;
  let nearMissCounter: NearMissCounter | undefined;

  async function open(chainId: number): Promise<ListenerSnapshot> {
    readEvent ??= createEventReader(await loadKeccak());
    return new ListenerSnapshot(chainId, readEvent);
  }

  function snapshotOf(chainId: number): Promise<ListenerSnapshot> {
    let snapshot = snapshots.get(chainId);
    if (snapshot === undefined) {
      snapshot = open(chainId);
      snapshots.set(chainId, snapshot);
    }
    return snapshot;
  }

  async function logFilter(chainId: number): Promise<LogFilter> {
    const snapshot = await snapshotOf(chainId);
    const [row] = await database.query<{ revision: string }>(revisionSql, [chainId]);
    const revision = Number(row?.revision ?? 0);
    if (revision !== snapshot.revision) await snapshot.refresh(database, revision);
    return snapshot.filter;
  }

  /** Returns the snapshot at this revision. Listeners cannot change while the network's row is locked. */
  async function currentSnapshot(tx: ChainTransaction, revision: number): Promise<ListenerSnapshot> {
    const snapshot = await snapshotOf(tx.chainId);
    if (snapshot.revision === revision) return snapshot;
    const fetchedWith = snapshot.filter;
    await snapshot.refresh(tx, revision);
    // The logs of these blocks were fetched with the old filter, so logs that match only now may be missing.
    if (!isWithin(snapshot.filter, fetchedWith))
      throw new DatabaseFault("listeners were added while the logs were being fetched");
    return snapshot;
  }

  async function added(
    tx: ChainTransaction,
    blocks: readonly ChainBlock[],
    head: number,
  ): Promise<AfterCommit | undefined> {
    const network = await lockNetwork(tx);
    // The network has never had a listener.
    if (network === undefined) return undefined;
    const { matcher } = await currentSnapshot(tx, network.revision);
    nearMissCounter ??= await openNearMissCounter();
    const { mutedThrough } = network;
    const unmuted = await unmutedBlocks(tx, blocks, { deriver: name, mutedThrough });
    const collected = await collectEvents(tx, unmuted, { matcher, contractTypeOf, head });
    const { hosts, misses } = collected;
    const events = await withoutNotified(tx, collected.events, mutedThrough);
    const stored = await storeNotifications(tx, network, {
      events,
      lastBlock: blocks.at(-1)?.number ?? -1,
      head,
    });
    const released = stored.isConfirmationDue ? await releaseConfirmed(tx, head) : [];
    const nearMisses = await nearMissCounter.store(tx, misses);
    const wakeLocal = await announce(tx, new Set([...hosts, ...released]), wake);
    if (nearMisses === undefined) return wakeLocal;
    return () => {
      nearMisses.committed();
      for (const each of nearMisses.toReport) onNearMiss(each);
      wakeLocal?.();
    };
  }

  async function removed(tx: ChainTransaction, blocks: readonly BlockId[]): Promise<AfterCommit | undefined> {
    const network = await lockNetwork(tx);
    if (network === undefined) return undefined;
    const lowest = Math.min(...blocks.map(({ number }) => number));
    await tx.query(lowerBlocksSql, [tx.chainId, lowest - 1]);
    const hosts = await storeRemovals(tx, network, blocks);
    await restartPastReads(tx, lowest);
    return announce(tx, hosts, wake);
  }

  return {
    name,
    logFilter,
    added,
    removed,
    async rewound(tx) {
      await tx.query(
        "update webhook_network set muted_through = greatest(muted_through, last_block) where chain_id = $1",
        [tx.chainId],
      );
    },
    blocksWithRecords: eventBlocks,
    awaitsFinality: (chainId) => awaitsFinality(database, chainId),
    settled: async (tx, finality) => announce(tx, await release(tx, finality), wake),
  };
}

const revisionSql = {
  name: "webhook-revision",
  text: "select revision from webhook_network where chain_id = $1",
};

/** Blocks that replace removed ones must produce notifications, even if their numbers were muted by a rewind. */
const lowerBlocksSql = {
  name: "webhook-network-lowered",
  text: `update webhook_network set last_block = least(last_block, $2), muted_through = least(muted_through, $2)
         where chain_id = $1`,
};

const blocksSql = {
  name: "webhook-event-blocks",
  text: `select distinct block_number as number, encode(block_hash, 'hex') as hash from webhook_batch
         where chain_id = $1 and block_number >= $2 and block_number < $3 and not is_removal and not is_gone`,
};

/** Returns the blocks of the stored events, which receivers believe to be part of the chain. */
async function eventBlocks(
  queries: Queries,
  chainId: number,
  { from, below }: { readonly from: number; readonly below: number },
): Promise<readonly BlockId[]> {
  const rows = await queries.query<{ readonly number: string; readonly hash: string }>(blocksSql, [
    chainId,
    from,
    below,
  ]);
  return rows.map(({ number, hash }) => ({ number: Number(number), hash: `0x${hash}` as Hex }));
}
