/** How notifications are stored: a row for each listener, and batches with the bodies, which the listeners share. */
import { hash as hashOf } from "node:crypto";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Queries } from "../base/storage/database.ts";
import type { BlockId } from "../chain/follower/derive/blocks.ts";
import type { AfterCommit, ChainTransaction } from "../chain/follower/derive/deriver.ts";
import type { Hex } from "../chain/rpc/chain.ts";
import type { Delivery } from "./listener.ts";

export const notificationStates = ["held", "waiting", "accepted", "failed", "dropped"] as const;

/** A state of notifications, as stored. */
export type NotificationState = (typeof notificationStates)[number];

/** An event to store, with its notifications. */
export interface NewEvent {
  readonly block: BlockId;
  readonly logIndex: number;
  /** How often the block was added to the chain, this time included. */
  readonly occurrence: number;
  /** Called when the event is stored, so that few bodies are in memory at a time. */
  readonly body: () => string;
  /** One for each notification. */
  readonly recipients: readonly Recipient[];
  /** The streams that send the event. */
  readonly streams?: readonly number[];
}

export interface Recipient {
  readonly listenerId: number;
  /** Undefined: the notification is sent at once. */
  readonly hold?: Hold | undefined;
  /** Of a removal. */
  readonly addition?: { readonly sequence: number; readonly isAccepted: boolean };
}

/** What a notification waits for before it is sent. */
export interface Hold {
  readonly delivery: Delivery;
  /** With `head`, the block that completes the confirmations. Otherwise the event's block, which must become safe or final. */
  readonly block: number;
}

/** The newest numbers of a network's notifications and events. */
export interface LastNumbers {
  readonly lastSequence: number;
  readonly lastEvent: number;
}

interface NewNotifications {
  readonly events: Iterable<NewEvent>;
  /** The events are removals. */
  readonly isRemoval?: boolean;
  readonly lastBlock: number;
  /** The newest block of the chain. */
  readonly head: number;
}

/** SQL: the condition of notifications that the blocks up to `head` confirm. */
export const isConfirmed = (head: string): string =>
  `chain_id = $1 and state = 'held' and delivery = 'head' and block_number <= ${head}`;

/** The removal of an accepted notification is due now. The removal of a waiting one is due after its addition is accepted. */
const storeSql = {
  name: "webhook-store",
  text: `
with batch as (
  insert into webhook_batch (chain_id, first_sequence, last_sequence, first_event, block_number, block_hash, log_indexes, is_removal,
                             occurrence, bodies)
  select $1, "firstSequence", "lastSequence", "firstEvent", "blockNumber", "blockHash", "logIndexes", $6, occurrence, bodies
  from json_to_recordset($7) as batch (
    "firstSequence" bigint, "lastSequence" bigint, "firstEvent" bigint, "blockNumber" bigint, "blockHash" bytea, "logIndexes" int[],
    occurrence int, bodies bytea)
), notification as (
  insert into webhook_notification (chain_id, sequence, listener_id, event, state, delivery, block_number, after, due_at)
  select $1, sequence, listener, event, case when delivery is null then 'waiting' else 'held' end, delivery, block, after,
         case when "isAccepted" is false then 'infinity' else now() end
  from json_to_recordset($8) as notification (
    sequence bigint, listener bigint, event bigint, delivery text, block bigint, after bigint, "isAccepted" boolean)
)
update webhook_network set last_sequence = $2, last_event = $3, last_block = greatest(last_block, $4) where chain_id = $1
returning exists (select from webhook_notification where ${isConfirmed("$5")}) as is_confirmation_due`,
};

/** Notifications of one statement, unless an event has more, so that none reaches its timeout. */
const maxNotifications = 5_000;

/**
 * Stores events in the order of their notifications: each event once, and a row for each listener, numbered without gaps. Call this after
 * locking the network's row. Returns the new numbers, and whether earlier notifications are held whose confirmations are complete.
 */
export async function storeNotifications(
  tx: ChainTransaction,
  last: LastNumbers,
  { events, isRemoval = false, lastBlock, head }: NewNotifications,
): Promise<LastNumbers & { readonly isConfirmationDue: boolean }> {
  let stored = { ...last, isConfirmationDue: false };
  for (const group of groupsOf(events)) {
    const { batches, notifications, lastSequence, lastEvent } = rowsOf(stored, group);
    const [row] = await tx.query<{ readonly is_confirmation_due: boolean }>(storeSql, [
      tx.chainId,
      lastSequence,
      lastEvent,
      lastBlock,
      head,
      isRemoval,
      JSON.stringify(batches),
      JSON.stringify(notifications),
    ]);
    stored = { lastSequence, lastEvent, isConfirmationDue: row?.is_confirmation_due === true };
  }
  return stored;
}

/** Yields at least one group, so that the numbers of the network are always stored. */
function* groupsOf(events: Iterable<NewEvent>): Iterable<readonly NewEvent[]> {
  let group: NewEvent[] = [];
  let notifications = 0;
  for (const event of events) {
    if (group.length > 0 && notifications + event.recipients.length > maxNotifications) {
      yield group;
      [group, notifications] = [[], 0];
    }
    group.push(event);
    notifications += event.recipients.length;
  }
  yield group;
}

/** Most characters of the bodies of a batch, unless one event has more. To send one of its notifications, all are decompressed. */
const maxBatchCharacters = 32_768;

/** Returns the rows of the events, as JSON: the notifications of each, and the batches, each with events of one block. */
function rowsOf(
  last: LastNumbers,
  events: readonly NewEvent[],
): LastNumbers & { readonly batches: readonly object[]; readonly notifications: readonly object[] } {
  let { lastSequence, lastEvent } = last;
  const notifications: object[] = [];
  const batches: object[] = [];
  let [batch, bodies]: [NewEvent[], string[]] = [[], []];
  let [characters, firstSequence, firstEvent] = [0, lastSequence + 1, lastEvent + 1];
  function endBatch(): void {
    const [first] = batch;
    if (first === undefined) return;
    batches.push({
      firstSequence,
      lastSequence,
      firstEvent,
      blockNumber: first.block.number,
      blockHash: `\\x${first.block.hash.slice(2)}`,
      logIndexes: batch.map(({ logIndex }) => logIndex),
      occurrence: first.occurrence,
      bodies: `\\x${packBodies(bodies).toString("hex")}`,
    });
    [batch, bodies, characters] = [[], [], 0];
    [firstSequence, firstEvent] = [lastSequence + 1, lastEvent + 1];
  }
  for (const event of events) {
    const body = event.body();
    if (batch[0]?.block.hash !== event.block.hash || characters + body.length > maxBatchCharacters)
      endBatch();
    batch.push(event);
    bodies.push(body);
    characters += body.length;
    lastEvent++;
    for (const { listenerId: listener, hold, addition } of event.recipients)
      notifications.push({
        sequence: ++lastSequence,
        listener,
        event: lastEvent,
        delivery: hold?.delivery,
        block: hold?.block,
        after: addition?.sequence,
        isAccepted: addition?.isAccepted,
      });
  }
  endBatch();
  return { lastSequence, lastEvent, batches, notifications };
}

/** The fastest level. Higher ones take several times as long, and save little of such text. */
const level = constants.Z_BEST_SPEED;

/**
 * Bodies are JSON texts without line feeds and without their uids, which can be computed and cannot be compressed. They are compressed
 * together, because the notifications of a block repeat most of their text. A million notifications of transfers take 0.2 GB (10 million:
 * 2 GB) and are stored in 24 s. As sent, they would take 1.3 GB (13 GB) and 45 s.
 */
function packBodies(bodies: readonly string[]): Buffer {
  return deflateRawSync(bodies.join("\n"), { level });
}

export function unpackBodies(packed: Uint8Array): readonly string[] {
  return inflateRawSync(packed).toString().split("\n");
}

/** The batch of a notification, as a lateral subquery. Batches do not overlap. */
export function batchOf(notification: string): string {
  return `select * from webhook_batch
    where chain_id = ${notification}.chain_id and first_sequence <= ${notification}.sequence
    order by first_sequence desc limit 1`;
}

type NotificationType = "BLOCK_ADDED" | "BLOCK_REMOVED";

/** Identifies an event: the same for every listener and format. SHA-256 of the log's location and the type. */
export function uidOf(chainId: number, blockHash: Hex, logIndex: number, type: NotificationType): string {
  return hashOf("sha256", `${chainId}/${blockHash}/${logIndex}/${type}`, "hex");
}

export interface StoredEvent {
  readonly chainId: number;
  readonly blockHash: Buffer;
  readonly logIndex: number;
  readonly isRemoval: boolean;
  /** From the batch. */
  readonly body: string;
}

/** The notification of an event, without the fields that differ between listeners. */
export function withUid({ chainId, blockHash, logIndex, isRemoval, body }: StoredEvent): {
  readonly uid: string;
  readonly body: string;
} {
  const hash: Hex = `0x${blockHash.toString("hex")}`;
  const uid = uidOf(chainId, hash, logIndex, isRemoval ? "BLOCK_REMOVED" : "BLOCK_ADDED");
  return { uid, body: `{"uid":"${uid}",${body.slice(1)}` };
}

/** A removal repeats the addition with its own type. */
export function removalBody(addition: string): string {
  return JSON.stringify({ ...(JSON.parse(addition) as object), type: "BLOCK_REMOVED" });
}

/** Returns the schema's `EventLog`. */
export function eventLogOf(stored: string, sequence: number): object {
  const { txnLogIndex, ...rest } = JSON.parse(stored) as { readonly txnLogIndex: string };
  return { id: sequence, sequence, ...rest, txnLogIndex: Number(txnLogIndex) };
}

/** The network's row, shared by all its listeners. */
export interface NetworkRow {
  /** Changes whenever a listener of the network changes. */
  readonly revision: number;
  readonly lastSequence: number;
  readonly lastEvent: number;
  /** Blocks up to this number were notified before a rewind. Only their skipped logs produce notifications. */
  readonly mutedThrough: number;
}

const lockSql = {
  name: "webhook-network-lock",
  text: `select revision, last_sequence, last_event, muted_through from webhook_network where chain_id = $1 for update`,
};

/** Locks the row: listeners cannot change, and no other notifications are stored, until the transaction ends. */
export async function lockNetwork(tx: ChainTransaction): Promise<NetworkRow | undefined> {
  const [row] = await tx.query<Record<"revision" | "last_sequence" | "last_event" | "muted_through", string>>(
    lockSql,
    [tx.chainId],
  );
  return (
    row && {
      revision: Number(row.revision),
      lastSequence: Number(row.last_sequence),
      lastEvent: Number(row.last_event),
      mutedThrough: Number(row.muted_through),
    }
  );
}

/* Tells processes that notifications are due. */

/** NOTIFY channel for newly committed notifications. The payload is a JSON list of their destinations, or empty: of any destinations. */
export const workChannel = "webhook_work";

/**
 * Longest NOTIFY payload, in characters; Postgres accepts 8,000 bytes. A longer list of destinations is replaced by an
 * empty payload, after which other processes look for due notifications of all of them.
 */
const maxPayloadLength = 7_000;

/** Tells all processes, when the transaction commits, that notifications are due to these destinations. Call the result after the commit. */
export async function announce(
  tx: ChainTransaction,
  destinations: ReadonlySet<string>,
  wake: (destinations: readonly string[]) => void,
): Promise<AfterCommit | undefined> {
  if (destinations.size === 0) return undefined;
  const list = [...destinations];
  const message = JSON.stringify(list);
  await tx.query("select pg_notify($1, $2)", [workChannel, message.length > maxPayloadLength ? "" : message]);
  return () => wake(list);
}

/** Makes all processes look for due notifications of all destinations, when the transaction commits. */
export async function announceAll(queries: Queries): Promise<void> {
  await queries.query("select pg_notify($1, '')", [workChannel]);
}
