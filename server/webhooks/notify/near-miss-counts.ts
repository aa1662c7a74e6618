import type { Keccak } from "../../base/keccak.ts";
import type { Queries } from "../../base/storage/database.ts";
import type { ContractEvent } from "../../chain/events/contract-event.ts";
import type { loadDecode } from "../../chain/events/decode.ts";
import type { ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import type { MatchableLog, Subscription } from "../matching/matcher.ts";
import { matchingEvent } from "../matching/suggest-declaration.ts";

/**
 * Logs that have a listener's event but can never match it, because the contract indexes other arguments than the listener
 * declares.
 */
export interface NearMiss {
  readonly listenerId: number;
  /** As the listener declares it. */
  readonly event: string;
  /** The declaration that would match; undefined if the logs do not determine it. */
  readonly matchingEvent: string | undefined;
  /** Number of logs. A lower bound: counts are stored when they double. */
  readonly logs: number;
  /** The newest block with such a log. */
  readonly blockNumber: number;
}

/** Logs of one contract and event with the same number of indexed arguments. */
interface LogKind {
  readonly log: MatchableLog;
  logs: number;
  blockNumber: number;
}

/** Logs of one event of a listener, on all of its contracts. */
interface Count {
  readonly subscription: Subscription;
  readonly event: ContractEvent;
  readonly log: MatchableLog;
  readonly logs: number;
  readonly blockNumber: number;
}

/** How many logs were counted for one event of a listener, until the listener changes. */
interface Progress {
  stored: number;
  /** Logs that were counted but not stored. */
  pending: number;
}

export interface NearMissDependencies {
  readonly keccak: Keccak;
  readonly decode: Awaited<ReturnType<typeof loadDecode>>;
}

/**
 * Counts the near misses of one network's listeners. Stores a count when it has doubled, so that a million logs of a busy
 * contract cost about twenty writes.
 */
export class NearMissCounter {
  readonly #dependencies: NearMissDependencies;
  readonly #progress = new WeakMap<Subscription, Map<string, Progress>>();

  constructor(dependencies: NearMissDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores the counts that are due. Call `committed` after the commit. `toReport` holds the near misses of listeners with an event
   * that had none before.
   */
  async store(
    { query }: ChainTransaction,
    batch: NearMissBatch,
  ): Promise<{ readonly toReport: readonly NearMiss[]; readonly committed: () => void } | undefined> {
    const counts = [...batch.counts()];
    if (counts.length === 0) return undefined;
    const due = counts.filter(([key, count]) => {
      const { stored, pending } = this.#progressOf(count.subscription, key);
      return pending + count.logs >= stored;
    });
    const misses = due.map(([key, count]): NearMiss & { readonly indexedCount: number } => ({
      listenerId: count.subscription.listenerId,
      event: count.event.text,
      indexedCount: count.log.topics.length - 1,
      matchingEvent: matchingEvent(count.event, count.log, this.#dependencies),
      logs: this.#progressOf(count.subscription, key).pending + count.logs,
      blockNumber: count.blockNumber,
    }));
    const rows =
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
    const fresh = new Set(rows.filter(({ is_new }) => is_new).map(({ listener_id }) => Number(listener_id)));
    return {
      toReport: misses.filter(({ listenerId }) => fresh.has(listenerId)),
      committed: () => {
        for (const [key, { subscription, logs }] of counts)
          this.#progressOf(subscription, key).pending += logs;
        for (const [key, { subscription }] of due) {
          const progress = this.#progressOf(subscription, key);
          progress.stored += progress.pending;
          progress.pending = 0;
        }
      },
    };
  }

  #progressOf(subscription: Subscription, key: string): Progress {
    let counts = this.#progress.get(subscription);
    if (counts === undefined) {
      counts = new Map();
      this.#progress.set(subscription, counts);
    }
    let progress = counts.get(key);
    if (progress === undefined) {
      progress = { stored: 0, pending: 0 };
      counts.set(key, progress);
    }
    return progress;
  }
}

function kindKey({ address, topics }: MatchableLog): string {
  return `${address}/${topics[0]}/${topics.length}`;
}

function isAlike(a: MatchableLog | undefined, b: MatchableLog): boolean {
  return a?.address === b.address && a.topics[0] === b.topics[0] && a.topics.length === b.topics.length;
}

/** The near misses of one transaction. */
export class NearMissBatch {
  readonly #kinds = new Map<string, LogKind>();
  /** Of the previous log: most logs are like the one before. */
  #last: LogKind | undefined;
  readonly #missed: {
    readonly subscription: Subscription;
    readonly event: ContractEvent;
    readonly kind: LogKind;
  }[] = [];

  /**
   * Counts a log. For the first log of a kind, returns a callback that records its near misses. Later logs of the kind have the
   * same near misses: returns undefined for them.
   */
  add(
    log: MatchableLog,
    blockNumber: number,
  ): ((subscription: Subscription, event: ContractEvent) => void) | undefined {
    const known = isAlike(this.#last?.log, log) ? this.#last : this.#kinds.get(kindKey(log));
    if (known !== undefined) {
      this.#last = known;
      known.logs++;
      known.blockNumber = Math.max(known.blockNumber, blockNumber);
      return undefined;
    }
    const kind: LogKind = { log, logs: 1, blockNumber };
    this.#kinds.set(kindKey(log), kind);
    return (subscription, event) => void this.#missed.push({ subscription, event, kind });
  }

  /** By listener, event and number of indexed arguments. */
  counts(): ReadonlyMap<string, Count> {
    const counts = new Map<string, Count>();
    for (const { subscription, event, kind } of this.#missed) {
      const key = `${subscription.listenerId}/${kind.log.topics.length}/${event.text}`;
      const { logs = 0, blockNumber = 0 } = counts.get(key) ?? {};
      counts.set(key, {
        subscription,
        event,
        log: kind.log,
        logs: logs + kind.logs,
        blockNumber: Math.max(blockNumber, kind.blockNumber),
      });
    }
    return counts;
  }
}

/** The join skips listeners that were removed in the meantime. */
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

/** Returns a listener's near misses, at most a hundred, those with the most logs first. */
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
