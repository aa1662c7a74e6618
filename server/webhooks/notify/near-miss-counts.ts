import type { Keccak } from "../../base/keccak.ts";
import type { Queries } from "../../base/storage/database.ts";
import { type ContractEvent, readContractEvent } from "../../chain/events/contract-event.ts";
import type { loadDecode } from "../../chain/events/decode.ts";
import type { ChainTransaction } from "../../chain/follower/derive/deriver.ts";
import { maxEventTextLength } from "../listener.ts";
import type { MatchableLog, Subscription } from "../matching/matcher.ts";

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

interface NearMissDependencies {
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

/** Events of the token standards, with the standards' argument names. */
const standardEvents: readonly string[] = [
  "Transfer(address indexed from,address indexed to,uint256 value)",
  "Approval(address indexed owner,address indexed spender,uint256 value)",
  "Transfer(address indexed from,address indexed to,uint256 indexed tokenId)",
  "Approval(address indexed owner,address indexed approved,uint256 indexed tokenId)",
  "ApprovalForAll(address indexed owner,address indexed operator,bool approved)",
  "TransferSingle(address indexed operator,address indexed from,address indexed to,uint256 id,uint256 value)",
  "TransferBatch(address indexed operator,address indexed from,address indexed to,uint256[] ids,uint256[] values)",
  "URI(string value,uint256 indexed id)",
];

/** Most combinations of `indexed` that are tried: choosing 3 of 32 arguments gives 4,960. */
const combinationsMax = 5_000;

/**
 * Returns the declaration of this event that would match a log: that of a token standard, or else the one with the only choice of
 * indexed arguments that fits the log. Returns undefined if several choices fit (for example, if one of two addresses is indexed),
 * or if the declaration would be too long to register.
 */
export function matchingEvent(
  { eventSig, types, text: registered }: ContractEvent,
  log: MatchableLog,
  { keccak, decode }: { readonly keccak: Keccak; readonly decode: Awaited<ReturnType<typeof loadDecode>> },
): string | undefined {
  const indexedCount = log.topics.length - 1;
  const standard = standardEvents
    .map((each) => readContractEvent(each, keccak))
    .find((each) => each.eventSig === eventSig && each.indexedCount === indexedCount);
  if (standard !== undefined) return standard.text;
  const name = registered.slice(0, registered.indexOf("("));
  const fitting: string[] = [];
  let tried = 0;
  for (const indexed of combinations(types.length, indexedCount)) {
    if (++tried > combinationsMax) return undefined;
    const candidate = `${name}(${types.map((type, index) => (indexed.includes(index) ? `${type} indexed` : type)).join(",")})`;
    const values = decode(readContractEvent(candidate, keccak), log);
    if (values === undefined || !isPlausible(types, indexed, log)) continue;
    fitting.push(candidate);
    if (fitting.length > 1) return undefined;
  }
  const [text] = fitting;
  return text !== undefined && text.length <= maxEventTextLength ? text : undefined;
}

/** Whether the data has as many words as the arguments that are not indexed need, and each word is valid for its type. */
function isPlausible(types: readonly string[], indexed: readonly number[], log: MatchableLog): boolean {
  const dataTypes = types.filter((_, index) => !indexed.includes(index));
  const isStatic = dataTypes.every((type) => /^(address|bool|u?int[0-9]*|bytes[0-9]+)$/.test(type));
  if (isStatic && log.data.length !== 2 + 64 * dataTypes.length) return false;
  const topicsFit = indexed.every((position, index) =>
    isWordOf(types[position], log.topics[index + 1]?.slice(2)),
  );
  const dataFits = dataTypes.every((type, index) =>
    isWordOf(type, log.data.slice(2 + 64 * index, 66 + 64 * index)),
  );
  return topicsFit && (!isStatic || dataFits);
}

/** Whether a word of 32 bytes is valid for its type. Only addresses and booleans are checked; all other types accept any word. */
function isWordOf(type: string | undefined, word = ""): boolean {
  if (type === "address") return /^0{24}/.test(word);
  return type !== "bool" || /^0{63}[01]$/.test(word);
}

/** All choices of `count` positions out of `length`, in order. */
function* combinations(length: number, count: number, from = 0): Generator<readonly number[]> {
  if (count === 0) yield [];
  else
    for (let first = from; first <= length - count; first++)
      for (const rest of combinations(length, count - 1, first + 1)) yield [first, ...rest];
}
