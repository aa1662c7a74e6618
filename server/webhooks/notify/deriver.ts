import { loadKeccak } from "../../base/keccak.ts";
import type { Queries } from "../../base/storage/database.ts";
import { DatabaseFault } from "../../base/storage/fault.ts";
import { loadDecode } from "../../chain/events/decode.ts";
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
import { workChannel } from "../delivery/dispatcher.ts";
import { createEventReader } from "../filters.ts";
import type { SubscribedEvent } from "../matching/subscription.ts";
import { eventBlocks } from "./event-blocks.ts";
import { hasHeld, release } from "./held.ts";
import { type NearMiss, NearMissCounter } from "./near-misses.ts";
import type { NewEvent, Recipient } from "./new-notifications.ts";
import { additionBodies } from "./notification.ts";
import { storeRemovals } from "./removal.ts";
import { isWithin, ListenerSnapshot, type NetworkRow } from "./snapshot.ts";
import { occurrencesOf, store } from "./store.ts";

export interface WebhookDeriverPorts {
  readonly database: Queries;
  readonly contractTypeOf: ContractTypeOf;
  /** Called after notifications for these hosts were committed. */
  readonly wake: (hosts: readonly string[]) => void;
  /** Called the first time that a listener's event is logged with other indexed arguments than the listener declares. */
  readonly onNearMiss: (miss: NearMiss) => void;
}

/**
 * Longest NOTIFY payload, in characters; Postgres accepts 8,000 bytes. A longer list of hosts is replaced by an empty payload,
 * after which other processes look for due notifications of all hosts.
 */
const maxPayloadLength = 7_000;

/**
 * Stores notifications in the follower's transaction. Locks the network's row, as every change of a listener does. A listener
 * therefore gets all events of a block or none, and a new listener starts with the next block.
 */
export function createWebhookDeriver({
  database,
  contractTypeOf,
  wake,
  onNearMiss,
}: WebhookDeriverPorts): Deriver {
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
  ): Promise<AfterCommit | undefined> {
    const network = await lockNetwork(tx);
    // The network has never had a listener.
    if (network === undefined) return undefined;
    const { matcher } = await currentSnapshot(tx, network.revision);
    const events = new EventCollector(
      await occurrencesOf(
        tx,
        blocks.filter(({ logs }) => logs.length > 0),
      ),
    );
    const decode = await loadDecode();
    nearMissCounter ??= new NearMissCounter({ keccak: await loadKeccak(), decode });
    const misses = nearMissCounter.startBatch();
    const contractTypes = new Map<Hex, string>();
    for (const block of blocks) {
      if (block.number <= network.mutedThrough) continue;
      const bodyOf = additionBodies(block);
      for (const log of block.logs) {
        const matches = matcher.match(log, misses.add(log, block.number));
        if (matches.length === 0) continue;
        const contractType = contractTypes.get(log.address) ?? (await contractTypeOf(tx, log.address));
        contractTypes.set(log.address, contractType);
        events.startLog(block, log.logIndex);
        for (const { subscription, event } of matches) {
          const values = decode(event, log);
          if (values === undefined) continue;
          events.add(event.text, subscription, () => bodyOf({ log, event, values, contractType }));
        }
      }
    }
    const last = blocks.at(-1)?.number ?? -1;
    await store(tx, network, { events: events.list, lastBlock: last });
    const nearMisses = await nearMissCounter.store(tx, misses);
    const wakeLocal = await notifyDispatchers(tx, events.hosts);
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
    return notifyDispatchers(tx, await storeRemovals(tx, network, blocks));
  }

  async function notifyDispatchers(
    tx: ChainTransaction,
    hosts: ReadonlySet<string>,
  ): Promise<AfterCommit | undefined> {
    if (hosts.size === 0) return undefined;
    const list = [...hosts];
    const message = JSON.stringify(list);
    await tx.query("select pg_notify($1, $2)", [
      workChannel,
      message.length > maxPayloadLength ? "" : message,
    ]);
    return () => wake(list);
  }

  return {
    name: "webhooks",
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
    awaitsFinality: (chainId) => hasHeld(database, chainId),
    settled: async (tx, finality) => notifyDispatchers(tx, await release(tx, finality)),
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

const lockSql = {
  name: "webhook-network-lock",
  text: `select revision, last_sequence, last_event, muted_through from webhook_network where chain_id = $1 for update`,
};

async function lockNetwork(tx: ChainTransaction): Promise<NetworkRow | undefined> {
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

/** Collects the events to store, with the listeners to notify: one event for each log and each declaration that listeners use. */
class EventCollector {
  readonly list: NewEvent[] = [];
  /** Hosts to which notifications are due now. */
  readonly hosts = new Set<string>();
  readonly #occurrences: ReadonlyMap<Hex, number>;
  /** The events of the current log. */
  readonly #byEventText = new Map<string, NewEvent & { readonly recipients: Recipient[] }>();
  #log: Pick<NewEvent, "block" | "logIndex" | "occurrence"> | undefined;

  constructor(occurrences: ReadonlyMap<Hex, number>) {
    this.#occurrences = occurrences;
  }

  startLog(block: ChainBlock, logIndex: number): void {
    this.#byEventText.clear();
    this.#log = { block, logIndex, occurrence: this.#occurrences.get(block.hash) ?? 1 };
  }

  add(
    eventText: string,
    { listenerId, host, delivery }: Recipient & { readonly host: string },
    body: () => string,
  ): void {
    const log = this.#log;
    if (log === undefined) throw new Error("an event belongs to a log");
    let event = this.#byEventText.get(eventText);
    if (event === undefined) {
      // A spread would take as long as all else in this function.
      const { block, logIndex, occurrence } = log;
      event = { block, logIndex, occurrence, body, recipients: [] };
      this.#byEventText.set(eventText, event);
      this.list.push(event);
    }
    event.recipients.push({ listenerId, delivery });
    if (delivery === "head") this.hosts.add(host);
  }
}
