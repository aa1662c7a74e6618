import type { BlockId } from "../../chain/follower/derive/blocks.ts";
import type { ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { type Delivery, isNotified } from "../listener.ts";
import {
  type LastNumbers,
  type NetworkRow,
  type NewEvent,
  type NotificationState,
  removalBody,
  storeNotifications,
  unpackBodies,
} from "../notifications.ts";

interface RemovedBatchRow {
  readonly first_sequence: string;
  readonly last_sequence: string;
  readonly first_event: string;
  readonly block_number: string;
  readonly hash: string;
  readonly log_indexes: readonly number[];
  readonly occurrence: number;
  readonly bodies: Buffer;
}

/** Marks the batches of removed blocks, and returns them. */
const markRemovedSql = {
  name: "webhook-removal-batches",
  text: `update webhook_batch set is_gone = true
         where chain_id = $1 and block_number = any($2::bigint[]) and block_hash = any($3) and not is_removal and not is_gone
         returning first_sequence, last_sequence, first_event, block_number, encode(block_hash, 'hex') as hash, log_indexes, occurrence,
                   bodies`,
};

interface NotifiedRow {
  readonly sequence: string;
  readonly listener_id: string;
  readonly event: string;
  readonly state: NotificationState;
  readonly delivery: Delivery | null;
  readonly destination: string;
  readonly is_notified: boolean;
}

interface Notified extends NotifiedRow {
  /** Failed after a replay, but accepted before the replay. */
  readonly was_accepted: boolean;
}

/**
 * Locks the rows, so that no notification is accepted or fails before its removal is stored. Looks up each sequence instead of joining:
 * after many inserts the planner has no statistics, and would read all notifications of the network.
 */
const notifiedSql = {
  name: "webhook-removal-notified",
  text: `select notification.sequence, notification.listener_id, notification.event, notification.state,
                notification.delivery, listener.host as destination,
                ${isNotified} as is_notified
         from unnest($2::bigint[]) as removed (sequence)
         cross join lateral (
           select * from webhook_notification
           where chain_id = $1 and sequence = removed.sequence and state <> 'dropped'
           for update
         ) as notification
         join webhook_listener listener on listener.id = notification.listener_id
         order by notification.sequence desc`,
};

const acceptedSql = {
  name: "webhook-removal-accepted",
  text: `select distinct sequence from webhook_attempt
         where chain_id = $1 and sequence = any($2::bigint[]) and fault is null`,
};

const dropSql = {
  name: "webhook-removal-drop",
  text: "update webhook_notification set state = 'dropped' where chain_id = $1 and sequence = any($2::bigint[])",
};

/** Notifications after which a group of batches ends, so that no statement reaches its timeout. */
const groupNotifications = 5_000;

/** Returns the destinations to which notifications are due. */
export async function storeRemovals(
  tx: ChainTransaction,
  { lastSequence, lastEvent }: NetworkRow,
  blocks: readonly BlockId[],
): Promise<ReadonlySet<string>> {
  const { chainId } = tx;
  const hashes = blocks.map(({ hash }) => Buffer.from(hash.slice(2), "hex"));
  const blockNumbers = blocks.map(({ number }) => number);
  const batches = await tx.query<RemovedBatchRow>(markRemovedSql, [chainId, blockNumbers, hashes]);
  const destinations = new Set<string>();
  let last: LastNumbers = { lastSequence, lastEvent };
  for (const group of groupsOf(batches)) {
    const stored = await storeGroup(tx, last, group);
    for (const destination of stored.destinations) destinations.add(destination);
    last = stored;
  }
  return destinations;
}

/** Yields the batches in groups, the last batch first, because the last notification is removed first. */
function* groupsOf(batches: readonly RemovedBatchRow[]): Iterable<readonly RemovedBatchRow[]> {
  let group: RemovedBatchRow[] = [];
  let notifications = 0;
  for (const batch of batches.toSorted((a, b) => Number(b.first_sequence) - Number(a.first_sequence))) {
    group.push(batch);
    notifications += Number(batch.last_sequence) - Number(batch.first_sequence) + 1;
    if (notifications < groupNotifications) continue;
    yield group;
    [group, notifications] = [[], 0];
  }
  if (group.length > 0) yield group;
}

interface StoredGroup extends LastNumbers {
  readonly destinations: Iterable<string>;
}

async function storeGroup(
  tx: ChainTransaction,
  last: LastNumbers,
  batches: readonly RemovedBatchRow[],
): Promise<StoredGroup> {
  const { chainId } = tx;
  const notified = await lockNotified(tx, batches);
  const removals = notified.filter(needsRemoval);
  const toDrop = notified.filter(
    (row) => row.state !== "accepted" && !row.was_accepted && !needsRemoval(row),
  );
  if (toDrop.length > 0) await tx.query(dropSql, [chainId, toDrop.map(({ sequence }) => sequence)]);
  if (removals.length === 0) return { ...last, destinations: [] };
  const events = removalEvents(batches, removals);
  const stored = await storeNotifications(tx, last, { events, isRemoval: true, lastBlock: -1, head: -1 });
  return { ...stored, destinations: new Set(removals.map(({ destination }) => destination)) };
}

/** Returns the notifications of the batches, the last first. */
async function lockNotified(
  { query, chainId }: ChainTransaction,
  batches: readonly RemovedBatchRow[],
): Promise<readonly Notified[]> {
  const rows = await query<NotifiedRow>(notifiedSql, [chainId, batches.flatMap(sequencesOf)]);
  const failed = rows.filter(({ state }) => state === "failed").map(({ sequence }) => sequence);
  const accepted =
    failed.length === 0 ? [] : await query<{ readonly sequence: string }>(acceptedSql, [chainId, failed]);
  const acceptedBefore = new Set(accepted.map(({ sequence }) => sequence));
  return rows.map((row) => ({ ...row, was_accepted: acceptedBefore.has(row.sequence) }));
}

function sequencesOf({ first_sequence, last_sequence }: RemovedBatchRow): readonly number[] {
  const first = Number(first_sequence);
  return Array.from({ length: Number(last_sequence) - first + 1 }, (_, index) => first + index);
}

/**
 * Held and failed notifications need no removal, and nothing is stored for paused listeners. A receiver of final events never gets a
 * removal, even if the chain replaces blocks that were final.
 */
function needsRemoval({ state, delivery, is_notified, was_accepted }: Notified): boolean {
  if (!is_notified || delivery === "finalized" || state === "held") return false;
  return state !== "failed" || was_accepted;
}

/** Returns a removal event for each event with removals, in the order of the removals. */
function removalEvents(
  batches: readonly RemovedBatchRow[],
  removals: readonly Notified[],
): readonly NewEvent[] {
  const byEvent = new Map<string, Notified[]>();
  for (const removal of removals) {
    const own = byEvent.get(removal.event);
    if (own === undefined) byEvent.set(removal.event, [removal]);
    else own.push(removal);
  }
  const additions = new Map(batches.flatMap((batch) => [...additionsOf(batch)]));
  return [...byEvent].map(([number, removed]) => {
    const addition = additions.get(number);
    if (addition === undefined) throw new Error(`the batch of event ${number} is missing`);
    const { body, ...event } = addition;
    const recipients = removed.map(({ listener_id, sequence, state }) => ({
      listenerId: Number(listener_id),
      addition: { sequence: Number(sequence), isAccepted: state !== "waiting" },
    }));
    return { ...event, recipients, body: () => removalBody(body) };
  });
}

type Addition = Pick<NewEvent, "block" | "logIndex" | "occurrence"> & { readonly body: string };

function* additionsOf(batch: RemovedBatchRow): Iterable<readonly [number: string, Addition]> {
  const { first_event, block_number, hash, log_indexes, occurrence } = batch;
  const block = { number: Number(block_number), hash: `0x${hash}` as Hex };
  const bodies = unpackBodies(batch.bodies);
  for (const [index, logIndex] of log_indexes.entries())
    yield [String(Number(first_event) + index), { block, logIndex, occurrence, body: bodies[index] ?? "" }];
}
