/** Streams of events for callers: the rows of streams, and a window of their latest items. */
import { createHash } from "node:crypto";
import type { ReplayEntry, ReplaySource } from "ridlkit-runtime/server-streams";
import { loadKeccak } from "../../base/keccak.ts";
import { RequestRejection } from "../../base/request-rejection.ts";
import type { CallerShare, Database, Queries } from "../../base/storage/database.ts";
import { type ChannelListener, listen } from "../../base/storage/listen.ts";
import { type FiltersInput, readFilters } from "../filters.ts";
import type { ListenerScope } from "../listeners.ts";
import { eventLogOf, removalBody, withUid } from "../notifications.ts";
import { changesOf } from "../webhooks.ts";
import { keptMinutes, streamChannel } from "./stream-items.ts";

/** Streams of a project on a network. Streams without readers make room for new ones. */
const maxStreams = 50;

/** Largest filters of all these streams, in bytes of JSON: the follower keeps them in memory. */
const maxFilterBytes = 1_048_576;

/** How often hosts note which streams they read, in milliseconds. */
const noteMs = 30_000;

/** How often items are looked for without a notification: a connection may have lost it. Behind a pooler, there are none. */
const scanMs = { listening: 5_000, polling: 500 };

export interface StreamItem {
  readonly id: string;
  /** The schema's `EventLog`. */
  readonly log: object;
}

type Entries = readonly ReplayEntry<StreamItem>[] | "gap";

interface EventStreamsOptions {
  /** For reads, which all readers of a stream share. */
  readonly database: Pick<Database, "query" | "connection">;
  /** False behind a pooler in transaction mode. */
  readonly canListen: boolean;
}

/** A topic is the id of a stream. The items are in the database, so any host can continue any stream. */
export class EventStreams implements ReplaySource<StreamItem>, AsyncDisposable {
  readonly #database: Queries;
  readonly #channel: ChannelListener | undefined;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #readers = new Map<string, Set<() => void>>();
  /** Readers that have got all items of a stream wait at the same position, and share one read. */
  readonly #reads = new Map<string, Promise<Entries>>();

  constructor({ database, canListen }: EventStreamsOptions) {
    this.#database = database;
    this.#channel = canListen
      ? listen({
          connection: database.connection,
          channel: streamChannel,
          onMessage: (ids) => this.#wake(ids.split(",")),
          onGap: () => this.#wake(),
        })
      : undefined;
    this.#timers = [
      setInterval(() => this.#wake(), canListen ? scanMs.listening : scanMs.polling).unref(),
      setInterval(() => this.#noteReaders([...this.#readers.keys()]), noteMs).unref(),
    ];
  }

  /** Number of streams that this host sends. */
  get open(): number {
    return [...this.#readers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns the topic for a filter. Throws RequestRejection and DatabaseFault. */
  async topicOf(
    database: Pick<CallerShare, "query" | "transaction">,
    scope: ListenerScope,
    filter: FiltersInput,
  ): Promise<string> {
    const filters = JSON.stringify(readFilters(filter, await loadKeccak(), "/filter"));
    const values = [scope.projectId, scope.chainId, createHash("sha256").update(filters).digest()];
    const [known] = await database.query<{ readonly id: string }>(findSql, values);
    if (known !== undefined) return known.id;
    return database.transaction((tx) => addStream(tx, values, filters), changesOf(scope));
  }

  async position(topic: string): Promise<string> {
    const [row] = await this.#database.query<{ readonly position: string }>(positionSql, [topic]);
    // Of a stream that was deleted in the meantime: a gap.
    return row?.position ?? "-";
  }

  itemsAfter(topic: string, position: string, max: number): Promise<Entries> {
    const key = `${topic} ${position} ${max}`;
    let read = this.#reads.get(key);
    if (read === undefined) {
      read = this.#read(topic, position, max).finally(() => this.#reads.delete(key));
      this.#reads.set(key, read);
    }
    return read;
  }

  onPublish(topic: string, wake: () => void): () => void {
    const readers = this.#readers.get(topic) ?? new Set();
    this.#readers.set(topic, readers.add(wake));
    if (readers.size === 1) this.#noteReaders([topic]);
    return () => {
      readers.delete(wake);
      if (readers.size === 0 && this.#readers.get(topic) === readers) this.#readers.delete(topic);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#channel?.[Symbol.asyncDispose]();
  }

  async #read(topic: string, position: string, max: number): Promise<Entries> {
    const [, epoch, digits] = /^([0-9a-f-]{36})-(\d{1,15})$/.exec(position) ?? [];
    const after = Number(digits);
    if (epoch === undefined) return "gap";
    const rows = await this.#database.query<ItemRow>(itemsSql, [topic, epoch, after, max]);
    const [first] = rows;
    if (first === undefined || Number(first.number ?? first.last + 1) !== after + 1) return "gap";
    return first.number === null ? [] : rows.map((row) => entryOf(epoch, row));
  }

  #wake(topics: Iterable<string> = this.#readers.keys()): void {
    for (const topic of topics) for (const wake of this.#readers.get(topic) ?? []) wake();
  }

  /** If this fails, the next time is early enough. */
  #noteReaders(topics: readonly string[]): void {
    if (topics.length > 0) this.#database.query(noteSql, [topics]).catch(() => {});
  }
}

const findSql = {
  name: "event-stream-find",
  text: `select id from event_stream where project_id = $1 and chain_id = $2 and digest = $3
         and read_at > now() - interval '${keptMinutes / 2} minutes'`,
};

const positionSql = {
  name: "event-stream-position",
  text: "select epoch || '-' || last as position from event_stream where id = $1",
};

/** Skips rows that the follower has locked: a deadlock would delay blocks. */
const noteSql = {
  name: "event-stream-note",
  text: `update event_stream set read_at = now()
         where id in (select id from event_stream where id = any($1::bigint[]) for update skip locked)`,
};

/** One row without an item if there are none. */
const itemsSql = {
  name: "event-stream-items",
  text: `
select chain_id::float8 as "chainId", last::float8 as last, item.number::float8 as number, block_hash as "blockHash",
       log_index as "logIndex", is_removal as "isRemoval", body
from event_stream left join lateral (
  select * from event_stream_item where stream_id = event_stream.id and event_stream_item.number > $3 order by number limit $4
) as item on true
where id = $1 and epoch::text = $2 order by item.number`,
};

interface ItemRow {
  readonly chainId: number;
  readonly last: number;
  readonly number: number | null;
  readonly blockHash: Buffer;
  readonly logIndex: number;
  readonly isRemoval: boolean;
  readonly body: string;
}

function entryOf(epoch: string, { number, body, ...event }: ItemRow): ReplayEntry<StreamItem> {
  const id = `${epoch}-${number}`;
  const stored = withUid({ ...event, body: event.isRemoval ? removalBody(body) : body });
  return { id, item: { id, log: eventLogOf(stored.body, number ?? 0) } };
}

const evictSql = `
delete from event_stream where id in (
  select id from event_stream where project_id = $1 and chain_id = $2 and read_at < now() - interval '2 minutes'
  order by read_at limit greatest(0, 1 - $3 + (select count(*) from event_stream where project_id = $1 and chain_id = $2)))`;

const insertSql = `
insert into event_stream (project_id, chain_id, digest, filters) values ($1, $2, $3, $4)
on conflict (project_id, chain_id, digest) do update set read_at = now() returning id`;

const sizeSql = `
select count(*)::int as count, sum(octet_length(filters::text))::float8 as bytes
from event_stream where project_id = $1 and chain_id = $2`;

/** Adds the stream, or notes that it is read. The network's row is locked first, as by the follower. */
async function addStream(tx: Queries, values: readonly unknown[], filters: string): Promise<string> {
  const [projectId, chainId] = values;
  await tx.query("select from webhook_network where chain_id = $1 for update", [chainId]);
  await tx.query(evictSql, [projectId, chainId, maxStreams]);
  const [added] = await tx.query<{ readonly id: string }>(insertSql, [...values, filters]);
  const [size] = await tx.query<{ readonly count: number; readonly bytes: number }>(sizeSql, [
    projectId,
    chainId,
  ]);
  if (added === undefined || size === undefined) throw new TypeError("the stream was not added");
  if (size.count > maxStreams)
    throw new RequestRejection(
      `/filter: streams of the project on this network already have ${maxStreams} different filters; use one of them, or close streams and wait two minutes`,
    );
  if (size.bytes > maxFilterBytes)
    throw new RequestRejection(
      `/filter: those of all streams of the project on this network would have ${size.bytes} bytes, at most ${maxFilterBytes} are allowed`,
    );
  return added.id;
}
