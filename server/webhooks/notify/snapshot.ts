import type { Queries } from "../../base/storage/database.ts";
import type { LogFilter } from "../../chain/follower/derive/log-filter.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { subscriptionOf } from "../filters.ts";
import { type Filters, isNotified, type Timing } from "../listener.ts";
import { Matcher, type SubscribedEvent } from "../matching/matcher.ts";

/** The listeners and streams of one network in memory, as of a revision. A refresh reads only the listeners that changed. */
export class ListenerSnapshot {
  readonly matcher: Matcher = new Matcher();
  /** Listeners whose past is still read. Their logs are requested already, so that none is missing when they join the others. */
  readonly #past = new Matcher();
  readonly #chainId: number;
  readonly #readEvent: (text: string) => SubscribedEvent;
  /** By listener id. */
  readonly #versions = new Map<number, string>();
  #revision = -1;
  #filter: LogFilter = { addresses: new Set(), topics: new Set(), indexInTransaction: true };

  constructor(chainId: number, read: (text: string) => SubscribedEvent) {
    this.#chainId = chainId;
    this.#readEvent = read;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The same object until the set of contracts or events changes. */
  get filter(): LogFilter {
    return this.#filter;
  }

  /** Pass a revision that was read before this call, because the listeners that this call reads may be newer. */
  async refresh(queries: Queries, revision: number): Promise<void> {
    const versions = await queries.query<{ id: string; version: string }>(versionsSql, [this.#chainId]);
    const present = new Set(versions.map(({ id }) => Number(id)));
    for (const id of [...this.#versions.keys()]) if (!present.has(id)) this.#remove(id);
    const changed = versions.filter(({ id, version }) => this.#versions.get(Number(id)) !== version);
    for (let start = 0; start < changed.length; start += maxListenersPerQuery)
      await this.#readListeners(queries, changed.slice(start, start + maxListenersPerQuery));
    this.#revision = revision;
    this.#updateFilter();
  }

  async #readListeners(
    queries: Queries,
    changed: readonly { readonly id: string; readonly version: string }[],
  ): Promise<void> {
    const rows = await queries.query<ListenerRow>(listenersSql, [this.#chainId, changed.map(({ id }) => id)]);
    for (const { id: text, version, is_past, destination, ...listener } of rows) {
      const id = Number(text);
      this.#remove(id);
      this.#versions.set(id, version);
      const matcher = is_past ? this.#past : this.matcher;
      matcher.set(
        subscriptionOf({ ...listener, id, destination: destination ?? undefined }, this.#readEvent),
      );
    }
  }

  #remove(id: number): void {
    this.#versions.delete(id);
    this.matcher.delete(id);
    this.#past.delete(id);
  }

  #updateFilter(): void {
    const matchers = [this.matcher, this.#past];
    const addresses = new Set(matchers.flatMap((each) => [...(each.addresses as Iterable<Hex>)]));
    const topics = new Set(matchers.flatMap((each) => [...(each.topics as Iterable<Hex>)]));
    const { addresses: oldAddresses, topics: oldTopics } = this.#filter;
    if (
      oldAddresses !== undefined &&
      oldTopics !== undefined &&
      isSame(oldAddresses, addresses) &&
      isSame(oldTopics, topics)
    )
      return;
    this.#filter = { addresses, topics, indexInTransaction: true };
  }
}

interface ListenerRow extends Timing {
  readonly id: string;
  /** Null: a stream. */
  readonly destination: string | null;
  readonly filters: Filters;
  readonly version: string;
  readonly is_past: boolean;
}

/** Limits memory: each listener may have 4,000 filter values. */
const maxListenersPerQuery = 500;

/** `xmin` changes with each update of a row. The filters of a stream never change. */
const from = `
select id, null as destination, 'head' as delivery, 1 as confirmations, filters, false as is_past, '' as version
from event_stream where chain_id = $1
union all
select id, host as destination, delivery, confirmations, filters, past.listener_id is not null as is_past,
       listener.xmin || case when past.listener_id is null then '' else ' past' end as version
from webhook_listener listener left join webhook_past past on past.listener_id = id
where listener.chain_id = $1 and ${isNotified}`;

const versionsSql = {
  name: "webhook-snapshot-versions",
  text: `select id, version from (${from}) as listener`,
};

const listenersSql = {
  name: "webhook-snapshot-listeners",
  text: `select * from (${from}) as listener where id = any($2::bigint[])`,
};

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size !== b.size) return false;
  for (const item of a) if (!b.has(item)) return false;
  return true;
}

/** Whether every log that passes `inner` passes `outer`. */
export function isWithin(inner: LogFilter, outer: LogFilter): boolean {
  return isSubset(inner.addresses, outer.addresses) && isSubset(inner.topics, outer.topics);
}

function isSubset(inner: ReadonlySet<Hex> | undefined, outer: ReadonlySet<Hex> | undefined): boolean {
  if (outer === undefined) return true;
  if (inner === undefined) return false;
  for (const item of inner) if (!outer.has(item)) return false;
  return true;
}
