/** Stores removals for notifications of blocks that have left the chain. */
import type { BlockId, ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import type { Delivery } from "../listener.ts";
import { isNotified } from "../listener-sql.ts";
import { unpackBodies } from "./batch-bodies.ts";
import { type BatchedEvent, storeBatches } from "./batches.ts";
import type { NetworkRow } from "./network-row.ts";
import { removalBody } from "./notification.ts";

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

type State = "held" | "waiting" | "accepted" | "parked" | "dropped";

interface NotifiedRow {
  readonly sequence: string;
  readonly listener_id: string;
  readonly event: string;
  readonly state: State;
  readonly delivery: Delivery | null;
  readonly host: string;
  readonly is_notified: boolean;
  /** Parked after a replay, but accepted before the replay. */
  readonly was_accepted: boolean;
}

/** Locks the rows, so that no notification is accepted or parked before its removal is stored. */
const notifiedSql = {
  name: "webhook-removal-told",
  text: `select notification.sequence, notification.listener_id, notification.event, notification.state,
                notification.delivery, listener.host,
                ${isNotified} as is_notified,
                notification.state = 'parked' and exists (
                  select 1 from webhook_attempt attempt
                  where attempt.chain_id = notification.chain_id and attempt.sequence = notification.sequence
                    and attempt.fault is null
                ) as was_accepted
         from unnest($2::bigint[], $3::bigint[]) as batch (first, last)
         join webhook_notification notification
           on notification.chain_id = $1 and notification.sequence between batch.first and batch.last
         join webhook_listener listener on listener.id = notification.listener_id
         where notification.state <> 'dropped'
         order by notification.sequence desc
         for update of notification`,
};

/** The removal of an accepted notification is due now. The removal of a waiting one is due after its addition is accepted. */
const removalsSql = {
  name: "webhook-removal-store",
  text: `insert into webhook_notification (chain_id, sequence, listener_id, event, after, due_at)
         select $1, sequence, listener_id, event, after, case when is_accepted then now() else 'infinity' end
         from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[])
           as removal (sequence, listener_id, event, after, is_accepted)`,
};

const dropSql = {
  name: "webhook-removal-drop",
  text: "update webhook_notification set state = 'dropped' where chain_id = $1 and sequence = any($2::bigint[])",
};

const numbersSql = {
  name: "webhook-removal-numbers",
  text: "update webhook_network set last_sequence = $2, last_event = $3 where chain_id = $1",
};

/** Returns the hosts to which notifications are due. */
export async function storeRemovals(
  tx: ChainTransaction,
  { lastSequence, lastEvent }: NetworkRow,
  blocks: readonly BlockId[],
): Promise<ReadonlySet<string>> {
  const { chainId } = tx;
  const hashes = blocks.map(({ hash }) => Buffer.from(hash.slice(2), "hex"));
  const blockNumbers = blocks.map(({ number }) => number);
  const batches = await tx.query<RemovedBatchRow>(markRemovedSql, [chainId, blockNumbers, hashes]);
  if (batches.length === 0) return new Set();
  const notified = await tx.query<NotifiedRow>(notifiedSql, [
    chainId,
    batches.map(({ first_sequence }) => first_sequence),
    batches.map(({ last_sequence }) => last_sequence),
  ]);
  const removals = notified.filter(needsRemoval);
  const toDrop = notified.filter(
    (row) => row.state !== "accepted" && !row.was_accepted && !needsRemoval(row),
  );
  if (toDrop.length > 0) await tx.query(dropSql, [chainId, toDrop.map(({ sequence }) => sequence)]);
  if (removals.length === 0) return new Set();
  const events = removalEvents(batches, removals);
  await storeBatches(
    tx,
    { firstSequence: lastSequence + 1, firstEvent: lastEvent + 1, isRemoval: true },
    events.values(),
  );
  const numbers = new Map([...events.keys()].map((event, index) => [event, lastEvent + 1 + index]));
  await tx.query(removalsSql, [
    chainId,
    removals.map((_, index) => lastSequence + 1 + index),
    removals.map(({ listener_id }) => listener_id),
    removals.map(({ event }) => numbers.get(event)),
    removals.map(({ sequence }) => sequence),
    removals.map(({ state }) => state !== "waiting"),
  ]);
  await tx.query(numbersSql, [chainId, lastSequence + removals.length, lastEvent + events.size]);
  return new Set(removals.map(({ host }) => host));
}

/**
 * Held and parked notifications need no removal, and nothing is stored for paused listeners. A receiver of final events never gets a
 * removal, even if the chain replaces blocks that were final.
 */
function needsRemoval({ state, delivery, is_notified, was_accepted }: NotifiedRow): boolean {
  if (!is_notified || delivery === "finalized" || state === "held") return false;
  return state !== "parked" || was_accepted;
}

/** Returns a removal event for each event with removals, in the order of the removals, by the number of the removed event. */
function removalEvents(
  batches: readonly RemovedBatchRow[],
  removals: readonly NotifiedRow[],
): ReadonlyMap<string, BatchedEvent> {
  const byEvent = new Map<string, NotifiedRow[]>();
  for (const removal of removals) {
    const own = byEvent.get(removal.event);
    if (own === undefined) byEvent.set(removal.event, [removal]);
    else own.push(removal);
  }
  const additions = new Map(batches.flatMap((batch) => [...additionsOf(batch)]));
  return new Map(
    [...byEvent].map(([number, recipients]) => {
      const addition = additions.get(number);
      if (addition === undefined) throw new Error(`the batch of event ${number} is missing`);
      const { body, ...event } = addition;
      return [number, { ...event, recipients, body: () => removalBody(body) }];
    }),
  );
}

type Addition = Pick<BatchedEvent, "block" | "logIndex" | "occurrence"> & { readonly body: string };

function* additionsOf(batch: RemovedBatchRow): Iterable<readonly [number: string, Addition]> {
  const { first_event, block_number, hash, log_indexes, occurrence } = batch;
  const block = { number: Number(block_number), hash: `0x${hash}` as Hex };
  const bodies = unpackBodies(batch.bodies);
  for (const [index, logIndex] of log_indexes.entries())
    yield [String(Number(first_event) + index), { block, logIndex, occurrence, body: bodies[index] ?? "" }];
}
