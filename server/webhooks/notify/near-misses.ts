import type { Keccak } from "../../base/keccak.ts";
import type { Queries } from "../../base/storage/database.ts";
import type { ContractEvent } from "../../chain/events/contract-event.ts";
import type { loadDecode } from "../../chain/events/decode.ts";
import type { ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import type { MatchableLog } from "../matching/matcher.ts";
import { matchingEvent } from "../matching/matching-event.ts";
import type { Wish } from "../matching/wish.ts";

/** Logs that a listener's event names and can never match: the contract indexes other arguments than the listener says. */
export interface NearMiss {
  readonly listenerId: number;
  /** As the listener has it. */
  readonly event: string;
  /** The text that would match; undefined where logs do not tell it. */
  readonly matchingEvent: string | undefined;
  /** At least so many logs. */
  readonly logs: number;
  /** Newest block that was counted. */
  readonly blockNumber: number;
}

/** Logs of one contract and event with the same number of indexed arguments. */
interface Alike {
  readonly log: MatchableLog;
  logs: number;
  blockNumber: number;
}

/** Logs of one event of a listener, on all of its contracts. */
interface Count {
  readonly wish: Wish;
  readonly event: ContractEvent;
  readonly log: MatchableLog;
  readonly logs: number;
  readonly blockNumber: number;
}

/** What is known of one event of a listener, as long as the listener does not change. */
interface Progress {
  /** Logs that are written down. */
  written: number;
  /** Logs since. */
  pending: number;
}

export interface NearMissPorts {
  readonly keccak: Keccak;
  readonly decode: Awaited<ReturnType<typeof loadDecode>>;
}

/**
 * Counts near misses of the listeners of one network. A count is written when it has doubled, so that a listener of a busy contract
 * costs about twenty writes for a million logs.
 */
export class NearMissCounter {
  readonly #ports: NearMissPorts;
  readonly #progress = new WeakMap<Wish, Map<string, Progress>>();

  constructor(ports: NearMissPorts) {
    this.#ports = ports;
  }

  /** Starts the counts of one transaction. */
  begin(): NearMissBatch {
    return new NearMissBatch();
  }

  /** Writes the counts that are due. Call `committed` after the transaction; returns those of listeners that had none before. */
  async store(
    { query }: ChainTransaction,
    batch: NearMissBatch,
  ): Promise<{ readonly isNew: readonly NearMiss[]; readonly committed: () => void } | undefined> {
    const counts = [...batch.counts()];
    if (counts.length === 0) return undefined;
    const due = counts.filter(([key, count]) => {
      const { written, pending } = this.#progressOf(count.wish, key);
      return pending + count.logs >= written;
    });
    const misses = due.map(([key, count]): NearMiss & { readonly indexedCount: number } => ({
      listenerId: count.wish.listenerId,
      event: count.event.text,
      indexedCount: count.log.topics.length - 1,
      matchingEvent: matchingEvent(count.event, count.log, this.#ports),
      logs: this.#progressOf(count.wish, key).pending + count.logs,
      blockNumber: count.blockNumber,
    }));
    const stored =
      misses.length === 0
        ? []
        : await query<{ listener_id: string; is_new: boolean }>(storeSql, [
            misses.map(({ listenerId }) => listenerId),
            misses.map(({ event }) => event),
            misses.map(({ indexedCount }) => indexedCount),
            misses.map((miss) => miss.matchingEvent ?? null),
            misses.map(({ logs }) => logs),
            misses.map(({ blockNumber }) => blockNumber),
          ]);
    const fresh = new Set(
      stored.filter(({ is_new }) => is_new).map(({ listener_id }) => Number(listener_id)),
    );
    return {
      isNew: misses.filter(({ listenerId }) => fresh.has(listenerId)),
      committed: () => {
        for (const [key, { wish, logs }] of counts) this.#progressOf(wish, key).pending += logs;
        for (const [key, { wish }] of due) {
          const progress = this.#progressOf(wish, key);
          progress.written += progress.pending;
          progress.pending = 0;
        }
      },
    };
  }

  #progressOf(wish: Wish, key: string): Progress {
    let ofWish = this.#progress.get(wish);
    if (ofWish === undefined) {
      ofWish = new Map();
      this.#progress.set(wish, ofWish);
    }
    let progress = ofWish.get(key);
    if (progress === undefined) {
      progress = { written: 0, pending: 0 };
      ofWish.set(key, progress);
    }
    return progress;
  }
}

/** The near misses of one transaction. */
export class NearMissBatch {
  readonly #alike = new Map<string, Alike>();
  readonly #missed: { readonly wish: Wish; readonly event: ContractEvent; readonly alike: Alike }[] = [];

  /**
   * Counts a log. Returns a function that takes its near misses for the first log of a kind, and undefined for later ones, whose
   * near misses are the same.
   */
  add(log: MatchableLog, blockNumber: number): ((wish: Wish, event: ContractEvent) => void) | undefined {
    const kind = `${log.address}/${log.topics[0]}/${log.topics.length}`;
    const known = this.#alike.get(kind);
    if (known !== undefined) {
      known.logs++;
      known.blockNumber = Math.max(known.blockNumber, blockNumber);
      return undefined;
    }
    const alike: Alike = { log, logs: 1, blockNumber };
    this.#alike.set(kind, alike);
    return (wish, event) => void this.#missed.push({ wish, event, alike });
  }

  /** By listener, event and number of indexed arguments. */
  counts(): ReadonlyMap<string, Count> {
    const counts = new Map<string, Count>();
    for (const { wish, event, alike } of this.#missed) {
      const key = `${wish.listenerId}/${alike.log.topics.length}/${event.text}`;
      const { logs = 0, blockNumber = 0 } = counts.get(key) ?? {};
      counts.set(key, {
        ...{ wish, event, log: alike.log },
        logs: logs + alike.logs,
        blockNumber: Math.max(blockNumber, alike.blockNumber),
      });
    }
    return counts;
  }
}

/** A listener that is removed meanwhile has no row. */
const storeSql = {
  name: "webhook-near-miss-store",
  text: `insert into webhook_near_miss as near (listener_id, event, indexed_count, matching_event, logs, block_number)
         select missed.* from unnest($1::bigint[], $2::text[], $3::smallint[], $4::text[], $5::bigint[], $6::bigint[])
           as missed (listener_id, event, indexed_count, matching_event, logs, block_number)
         join webhook_listener listener on listener.id = missed.listener_id
         on conflict (listener_id, event, indexed_count) do update set
           logs = near.logs + excluded.logs, block_number = greatest(near.block_number, excluded.block_number)
         returning listener_id, (xmax = 0) as is_new`,
};

interface NearMissRow {
  readonly listener_id: string;
  readonly event: string;
  readonly matching_event: string | null;
  readonly logs: string;
  readonly block_number: string;
}

const readSql = {
  name: "webhook-near-miss-read",
  text: `select listener_id, event, matching_event, logs, block_number from webhook_near_miss
         where listener_id = $1 order by logs desc, event, indexed_count limit 100`,
};

/** The near misses of a listener, those with most logs first, a hundred at most. */
export async function nearMissesOf(queries: Queries, listenerId: number): Promise<readonly NearMiss[]> {
  const rows = await queries.query<NearMissRow>(readSql, [listenerId]);
  return rows.map((row) => ({
    listenerId: Number(row.listener_id),
    event: row.event,
    matchingEvent: row.matching_event ?? undefined,
    logs: Number(row.logs),
    blockNumber: Number(row.block_number),
  }));
}
