/** Matches the logs of blocks and collects what to store. */
import { loadDecode } from "../../chain/events/decode.ts";
import type { BlockId, ChainBlock } from "../../chain/follower/derive/blocks.ts";
import type { ChainTransaction, ContractTypeOf } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import type { Matcher, Subscription } from "../matching/matcher.ts";
import type { NewEvent, Recipient } from "../notifications.ts";
import { additionBodies } from "./bodies.ts";
import { holdOf } from "./held.ts";

export interface CollectedEvents {
  readonly events: readonly NewEvent[];
  /** Destinations to which notifications are due now. */
  readonly destinations: ReadonlySet<string>;
}

interface CollectDependencies {
  readonly matcher: Matcher;
  readonly contractTypeOf: ContractTypeOf;
  /** The newest block of the chain. */
  readonly head: number;
}

export async function collectEvents(
  tx: ChainTransaction,
  blocks: readonly ChainBlock[],
  { matcher, contractTypeOf, head }: CollectDependencies,
): Promise<CollectedEvents> {
  const withLogs = blocks.filter(({ logs }) => logs.length > 0);
  const events = new EventCollector(await occurrencesOf(tx, withLogs), head);
  const decode = await loadDecode();
  const contractTypes = new Map<Hex, string>();
  for (const block of withLogs) {
    const bodyOf = additionBodies(block);
    for (const log of block.logs) {
      const matches = matcher.match(log);
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
  return { events: events.list, destinations: events.destinations };
}

type CollectedEvent = NewEvent & { readonly recipients: Recipient[]; readonly streams: number[] };

/** Collects the events to store, with the listeners and streams to notify: one event for each log and each declaration that these use. */
class EventCollector {
  readonly list: NewEvent[] = [];
  /** Destinations to which notifications are due now. */
  readonly destinations = new Set<string>();
  readonly #occurrences: ReadonlyMap<Hex, number>;
  readonly #head: number;
  /** The events of the current log. */
  readonly #byEventText = new Map<string, CollectedEvent>();
  #log: Pick<NewEvent, "block" | "logIndex" | "occurrence"> | undefined;

  constructor(occurrences: ReadonlyMap<Hex, number>, head: number) {
    this.#occurrences = occurrences;
    this.#head = head;
  }

  startLog(block: ChainBlock, logIndex: number): void {
    this.#byEventText.clear();
    this.#log = { block, logIndex, occurrence: this.#occurrences.get(block.hash) ?? 1 };
  }

  add(eventText: string, subscription: Subscription, body: () => string): void {
    const log = this.#log;
    if (log === undefined) throw new Error("an event belongs to a log");
    let event = this.#byEventText.get(eventText);
    if (event === undefined) {
      // A spread would take as long as all else in this function.
      const { block, logIndex, occurrence } = log;
      event = { block, logIndex, occurrence, body, recipients: [], streams: [] };
      this.#byEventText.set(eventText, event);
      this.list.push(event);
    }
    const { listenerId, destination } = subscription;
    if (destination === undefined) {
      event.streams.push(listenerId);
      return;
    }
    const hold = holdOf(subscription, log.block.number, this.#head);
    event.recipients.push({ listenerId, hold });
    if (hold === undefined) this.destinations.add(destination);
  }
}

const occurrencesSql = {
  name: "webhook-occurrences",
  text: `select encode(block_hash, 'hex') as hash, max(occurrence) as removed from webhook_batch
         where chain_id = $1 and block_number = any($2::bigint[]) and block_hash = any($3) and is_gone group by block_hash`,
};

/** How often each block was added, including this time. Omits blocks that are added for the first time. */
async function occurrencesOf(
  tx: ChainTransaction,
  blocks: readonly BlockId[],
): Promise<ReadonlyMap<Hex, number>> {
  if (blocks.length === 0) return new Map();
  const hashes = blocks.map(({ hash }) => Buffer.from(hash.slice(2), "hex"));
  const numbers = blocks.map(({ number }) => number);
  const values = [tx.chainId, numbers, hashes];
  const rows = await tx.query<{ hash: string; removed: number }>(occurrencesSql, values);
  return new Map(rows.map(({ hash, removed }) => [`0x${hash}` as const, removed + 1]));
}
