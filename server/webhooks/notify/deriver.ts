import { loadKeccak } from "../../base/keccak.ts";
import type { Queries } from "../../base/storage/database.ts";
import { DatabaseFault } from "../../base/storage/fault.ts";
import { loadDecode } from "../../chain/events/decode.ts";
import type {
  AfterCommit,
  BlockRef,
  ChainBlock,
  ChainTransaction,
  ContractTypeOf,
  Deriver,
  LogFilter,
} from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { workChannel } from "../delivery/dispatcher.ts";
import { rememberEvents } from "../filters.ts";
import type { WishedEvent } from "../matching/wish.ts";
import { type NearMiss, NearMissCounter } from "./near-misses.ts";
import { additionOf, uidOf } from "./notification.ts";
import { takeBack } from "./removal.ts";
import { isWithin, type NetworkRow, Snapshot } from "./snapshot.ts";
import { type NewEvent, occurrencesOf, store } from "./store.ts";

export interface WebhookDeriverPorts {
  readonly database: Queries;
  readonly contractTypeOf: ContractTypeOf;
  /** Something was committed for these hosts. */
  readonly wake: (hosts: readonly string[]) => void;
  /** An event of a listener was seen for the first time to be one that can never match. */
  readonly missed: (miss: NearMiss) => void;
}

/** A longer list of hosts is not told by name: other processes then look for themselves. Postgres takes messages of 8,000 bytes. */
const messageMax = 7_000;

/**
 * Writes notifications in the transaction of the follower. The row of the network is locked meanwhile, which whoever changes a
 * listener needs too: a listener gets all of a block or nothing of it, and starts with the next one.
 */
export function createWebhookDeriver({
  database,
  contractTypeOf,
  wake,
  missed,
}: WebhookDeriverPorts): Deriver {
  const snapshots = new Map<number, Promise<Snapshot>>();
  let read: ((text: string) => WishedEvent) | undefined;
  let counter: NearMissCounter | undefined;

  async function open(chainId: number): Promise<Snapshot> {
    read ??= rememberEvents(await loadKeccak());
    return new Snapshot(chainId, read);
  }

  function snapshotOf(chainId: number): Promise<Snapshot> {
    let snapshot = snapshots.get(chainId);
    if (snapshot === undefined) {
      snapshot = open(chainId);
      snapshots.set(chainId, snapshot);
    }
    return snapshot;
  }

  async function wanted(chainId: number): Promise<LogFilter> {
    const snapshot = await snapshotOf(chainId);
    const [row] = await database.query<{ revision: string }>(revisionSql, [chainId]);
    const revision = Number(row?.revision ?? 0);
    if (revision !== snapshot.revision) await snapshot.refresh(database, revision);
    return snapshot.filter;
  }

  /** With the listeners as they are for as long as the network is locked. */
  async function current(tx: ChainTransaction, revision: number): Promise<Snapshot> {
    const snapshot = await snapshotOf(tx.chainId);
    if (snapshot.revision === revision) return snapshot;
    const asked = snapshot.filter;
    await snapshot.refresh(tx, revision);
    // The logs of these blocks were asked for without what is wanted now.
    if (!isWithin(snapshot.filter, asked)) throw new DatabaseFault("listeners were added meanwhile");
    return snapshot;
  }

  async function added(
    tx: ChainTransaction,
    blocks: readonly ChainBlock[],
  ): Promise<AfterCommit | undefined> {
    const network = await lockNetwork(tx);
    // Nobody has ever listened here.
    if (network === undefined) return undefined;
    const { matcher } = await current(tx, network.revision);
    const events = new Events(
      tx.chainId,
      await occurrencesOf(
        tx,
        blocks.filter(({ logs }) => logs.length > 0),
      ),
    );
    const decode = await loadDecode();
    counter ??= new NearMissCounter({ keccak: await loadKeccak(), decode });
    const misses = counter.begin();
    for (const block of blocks) {
      if (block.number <= network.mutedThrough) continue;
      for (const log of block.logs) {
        for (const { wish, event } of matcher.match(log, misses.add(log, block.number))) {
          const values = decode(event, log);
          if (values === undefined) continue;
          const contractType = await contractTypeOf(tx, log.address);
          events.add(block, log.logIndex, event.text, wish, () =>
            additionOf({ chainId: tx.chainId, block, log, event, values, contractType }),
          );
        }
      }
    }
    const last = blocks.at(-1)?.number ?? -1;
    await store(tx, network, { events: events.list, lastBlock: last });
    const near = await counter.store(tx, misses);
    const told = await tell(tx, events.hosts);
    if (near === undefined) return told;
    return () => {
      near.committed();
      for (const each of near.isNew) missed(each);
      told?.();
    };
  }

  async function removed(
    tx: ChainTransaction,
    blocks: readonly BlockRef[],
  ): Promise<AfterCommit | undefined> {
    const network = await lockNetwork(tx);
    if (network === undefined) return undefined;
    const lowest = Math.min(...blocks.map(({ number }) => number));
    await tx.query(loweredSql, [tx.chainId, lowest - 1]);
    return tell(tx, await takeBack(tx, network, blocks));
  }

  async function tell(tx: ChainTransaction, hosts: ReadonlySet<string>): Promise<AfterCommit | undefined> {
    if (hosts.size === 0) return undefined;
    const list = [...hosts];
    const message = JSON.stringify(list);
    await tx.query("select pg_notify($1, $2)", [workChannel, message.length > messageMax ? "" : message]);
    return () => wake(list);
  }

  return {
    name: "webhooks",
    wanted,
    added,
    removed,
    async rewound(tx) {
      await tx.query(
        "update webhook_network set muted_through = greatest(muted_through, last_block) where chain_id = $1",
        [tx.chainId],
      );
    },
  };
}

const revisionSql = {
  name: "webhook-revision",
  text: "select revision from webhook_network where chain_id = $1",
};

/** What comes in the place of blocks that left is told of, also where their numbers are to come again. */
const loweredSql = {
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

/** What is to be stored: an event for each log and spelling, with those that are told of it. */
class Events {
  readonly list: NewEvent[] = [];
  readonly hosts = new Set<string>();
  readonly #chainId: number;
  readonly #occurrences: ReadonlyMap<Hex, number>;
  readonly #bySpelling = new Map<string, NewEvent & { readonly listenerIds: number[] }>();
  #place = "";

  constructor(chainId: number, occurrences: ReadonlyMap<Hex, number>) {
    this.#chainId = chainId;
    this.#occurrences = occurrences;
  }

  add(
    block: ChainBlock,
    logIndex: number,
    spelling: string,
    { listenerId, host }: { readonly listenerId: number; readonly host: string },
    body: () => string,
  ): void {
    const place = `${block.hash}/${logIndex}`;
    if (place !== this.#place) this.#bySpelling.clear();
    this.#place = place;
    let event = this.#bySpelling.get(spelling);
    if (event === undefined) {
      event = {
        block,
        logIndex,
        occurrence: this.#occurrences.get(block.hash) ?? 1,
        uid: uidOf(this.#chainId, block.hash, logIndex, "BLOCK_ADDED"),
        body: body(),
        listenerIds: [],
      };
      this.#bySpelling.set(spelling, event);
      this.list.push(event);
    }
    event.listenerIds.push(listenerId);
    this.hosts.add(host);
  }
}
