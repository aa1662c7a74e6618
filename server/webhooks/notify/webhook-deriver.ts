import { loadKeccak } from "../../base/keccak.ts";
import type { Queries } from "../../base/storage/database.ts";
import { DatabaseFault } from "../../base/storage/fault.ts";
import type { BlockId, ChainBlock } from "../../chain/follower/derive/blocks.ts";
import { readSkippedLogs } from "../../chain/follower/derive/derive.ts";
import type {
  AfterCommit,
  ChainTransaction,
  ContractTypeOf,
  Deriver,
} from "../../chain/follower/derive/deriver.ts";
import type { LogFilter } from "../../chain/follower/derive/log-filter.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { createEventReader } from "../filters.ts";
import type { SubscribedEvent } from "../matching/matcher.ts";
import { announce, lockNetwork, type NewEvent, storeNotifications } from "../notifications.ts";
import { restartPastReads } from "../past-progress.ts";
import { storeStreamItems, storeStreamRemovals } from "../streams/stream-items.ts";
import { collectEvents } from "./collect-events.ts";
import { awaitsFinality, release, releaseConfirmed } from "./held.ts";
import { storeRemovals } from "./removal.ts";
import { isWithin, ListenerSnapshot } from "./snapshot.ts";

const name = "webhooks";

interface WebhookDeriverDependencies {
  readonly database: Queries;
  readonly contractTypeOf: ContractTypeOf;
  /** Called after notifications for these destinations were committed. */
  readonly wake: (destinations: readonly string[]) => void;
}

/**
 * Stores notifications in the follower's transaction. Locks the network's row, as every change of a listener does. A listener
 * therefore gets all events of a block or none, and a new listener starts with the next block.
 */
export function createWebhookDeriver({
  database,
  contractTypeOf,
  wake,
}: WebhookDeriverDependencies): Deriver {
  const snapshots = new Map<number, Promise<ListenerSnapshot>>();
  let readEvent: ((text: string) => SubscribedEvent) | undefined;

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
    const { mutedThrough } = network;
    const unmuted = await unmutedBlocks(tx, blocks, { deriver: name, mutedThrough });
    const collected = await collectEvents(tx, unmuted, { matcher, contractTypeOf, head });
    await storeStreamItems(tx, collected.events);
    const events = await withoutNotified(tx, collected.events, mutedThrough);
    const stored = await storeNotifications(tx, network, {
      events,
      lastBlock: blocks.at(-1)?.number ?? -1,
      head,
    });
    const released = stored.isConfirmationDue ? await releaseConfirmed(tx, head) : [];
    return announce(tx, new Set([...collected.destinations, ...released]), wake);
  }

  async function removed(tx: ChainTransaction, blocks: readonly BlockId[]): Promise<AfterCommit | undefined> {
    const network = await lockNetwork(tx);
    if (network === undefined) return undefined;
    const lowest = Math.min(...blocks.map(({ number }) => number));
    await tx.query(lowerBlocksSql, [tx.chainId, lowest - 1]);
    await storeStreamRemovals(tx, blocks, lowest);
    const destinations = await storeRemovals(tx, network, blocks);
    await restartPastReads(tx, lowest);
    return announce(tx, destinations, wake);
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

/* Logs that were skipped while their block was notified. A rewind mutes the block, except for them. */

/** Returns the blocks above `mutedThrough`, and the others with their skipped logs only. */
async function unmutedBlocks(
  tx: ChainTransaction,
  blocks: readonly ChainBlock[],
  { deriver, mutedThrough }: { readonly deriver: string; readonly mutedThrough: number },
): Promise<readonly ChainBlock[]> {
  const muted = blocks.filter(({ number, logs }) => number <= mutedThrough && logs.length > 0);
  const unmuted = blocks.filter(({ number }) => number > mutedThrough);
  if (muted.length === 0) return unmuted;
  const skipped = await readSkippedLogs(tx, deriver, muted);
  const replayed = muted.map((block) => {
    const indexes = skipped.get(block.hash);
    return { ...block, logs: block.logs.filter(({ logIndex }) => indexes?.has(logIndex) === true) };
  });
  return [...replayed.filter(({ logs }) => logs.length > 0), ...unmuted];
}

const notifiedSql = {
  name: "webhook-notified-listeners",
  text: `
select encode(b.block_hash, 'hex') as hash, log_indexes[event - first_event + 1] as log_index, listener_id
from webhook_batch b
join webhook_notification n on n.chain_id = b.chain_id and n.sequence between b.first_sequence and b.last_sequence
where b.chain_id = $1 and b.block_number = any($2::bigint[]) and b.block_hash = any($3) and not is_removal and not is_gone`,
};

/**
 * Omits listeners that were notified of a skipped log while it was skipped: they read it as part of their past. Omits events that only
 * streams send.
 */
async function withoutNotified(
  tx: ChainTransaction,
  events: readonly NewEvent[],
  mutedThrough: number,
): Promise<readonly NewEvent[]> {
  const isNotified = ({ recipients }: NewEvent): boolean => recipients.length > 0;
  const blocks = events.map(({ block }) => block).filter(({ number }) => number <= mutedThrough);
  if (blocks.length === 0) return events.filter(isNotified);
  const rows = await tx.query<{ hash: string; log_index: number; listener_id: string }>(notifiedSql, [
    tx.chainId,
    blocks.map(({ number }) => number),
    blocks.map(({ hash }) => Buffer.from(hash.slice(2), "hex")),
  ]);
  const notified = new Set(rows.map((row) => keyOf(`0x${row.hash}`, row.log_index, row.listener_id)));
  return events
    .map((event) => ({
      ...event,
      recipients: event.recipients.filter(
        ({ listenerId }) => !notified.has(keyOf(event.block.hash, event.logIndex, listenerId)),
      ),
    }))
    .filter(isNotified);
}

const keyOf = (hash: Hex, logIndex: number, listenerId: number | string): string =>
  `${hash} ${logIndex} ${listenerId}`;
