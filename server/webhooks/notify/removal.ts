/** Stores removals for notifications of blocks that have left the chain. */
import type { BlockId, ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import type { Delivery } from "../listener.ts";
import { isNotified } from "../listener-sql.ts";
import { removalBody, uidOf } from "./notification.ts";
import type { NetworkRow } from "./snapshot.ts";

interface RemovedEventRow {
  readonly event_number: string;
  readonly block_number: string;
  readonly hash: string;
  readonly log_index: number;
  readonly occurrence: number;
  readonly body: string;
}

/** Marks the events of removed blocks, and returns them. */
const markRemovedSql = {
  name: "webhook-removal-events",
  text: `update webhook_event set is_gone = true
         where chain_id = $1 and block_number = any($2::bigint[]) and block_hash = any($3) and not is_removal and not is_gone
         returning number as event_number, block_number, encode(block_hash, 'hex') as hash, log_index, occurrence, body`,
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
         from webhook_notification notification join webhook_listener listener on listener.id = notification.listener_id
         where notification.chain_id = $1 and notification.event = any($2::bigint[]) and notification.state <> 'dropped'
         order by notification.sequence desc
         for update of notification`,
};

const eventsSql = {
  name: "webhook-removal-store-events",
  text: `insert into webhook_event (chain_id, number, block_number, block_hash, log_index, is_removal, occurrence, uid, body)
         select $1, number, block_number, decode(hash, 'hex'), log_index, true, occurrence, uid, body
         from unnest($2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::int[], $7::text[], $8::text[])
           as gone (number, block_number, hash, log_index, occurrence, uid, body)`,
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
  const events = await tx.query<RemovedEventRow>(markRemovedSql, [chainId, blockNumbers, hashes]);
  if (events.length === 0) return new Set();
  const notified = await tx.query<NotifiedRow>(notifiedSql, [
    chainId,
    events.map(({ event_number }) => event_number),
  ]);
  const removals = notified.filter(needsRemoval);
  const toDrop = notified.filter(
    (row) => row.state !== "accepted" && !row.was_accepted && !needsRemoval(row),
  );
  if (toDrop.length > 0) await tx.query(dropSql, [chainId, toDrop.map(({ sequence }) => sequence)]);
  if (removals.length === 0) return new Set();
  const numbers = await storeRemovalEvents(tx, lastEvent, events);
  await tx.query(removalsSql, [
    chainId,
    removals.map((_, index) => lastSequence + 1 + index),
    removals.map(({ listener_id }) => listener_id),
    removals.map(({ event }) => numbers.get(event)),
    removals.map(({ sequence }) => sequence),
    removals.map(({ state }) => state !== "waiting"),
  ]);
  await tx.query(numbersSql, [chainId, lastSequence + removals.length, lastEvent + events.length]);
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

/** Stores a removal event for each removed event. Returns the numbers of the removal events, by the number of the removed event. */
async function storeRemovalEvents(
  { query, chainId }: ChainTransaction,
  lastEvent: number,
  events: readonly RemovedEventRow[],
): Promise<ReadonlyMap<string, number>> {
  const uids = events.map(({ hash, log_index }) =>
    uidOf(chainId, `0x${hash}` as Hex, log_index, "BLOCK_REMOVED"),
  );
  await query(eventsSql, [
    chainId,
    events.map((_, index) => lastEvent + 1 + index),
    events.map(({ block_number }) => block_number),
    events.map(({ hash }) => hash),
    events.map(({ log_index }) => log_index),
    events.map(({ occurrence }) => occurrence),
    uids,
    events.map(({ body }, index) => removalBody(body, uids[index] ?? "")),
  ]);
  return new Map(events.map(({ event_number }, index) => [event_number, lastEvent + 1 + index]));
}
