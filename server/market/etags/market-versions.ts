import { randomBytes } from "node:crypto";
import type { Database } from "../../base/storage/database.ts";
import { listen } from "../../base/storage/listen.ts";
import { ratesMaxAgeMs } from "../records/currencies/currency.ts";

interface MarketVersionsOptions {
  /** Most keys with a version of their own. Default: 50,000, which take some 20 MB. */
  readonly maxKeys?: number;
  /** A clock that only moves forward, in milliseconds. */
  readonly now?: () => number;
}

/** When some data has last changed. Times are of the host's clock. */
interface LastChange {
  /** Number of the change among all changes. */
  readonly version: number;
  /** When the host learned of a change. A sweep that has started before may not have seen its data. */
  readonly learnedAt: number;
  /** Until then, time changes responses, or reads may use rates of before the change. */
  readonly settledAt: number;
}

const never: LastChange = {
  version: 0,
  learnedAt: Number.NEGATIVE_INFINITY,
  settledAt: Number.NEGATIVE_INFINITY,
};

/**
 * Tolerance for the drift between the clocks of host and database within a few seconds, in milliseconds. A larger difference is a
 * clock that was set.
 */
const driftMs = 200;

/** How long reads may show the state before a change: rates are cached. In milliseconds. */
const settleMs = ratesMaxAgeMs + driftMs;

/**
 * Numbers the changes of the market's data, so that the version of a response is known from memory. Three things change a response:
 * writes, which the database reports; time, as orders start and end and rates become too old; and a connection that may have missed a
 * report. Sweeps report in advance what time will change. A version that is uncertain is undefined.
 */
export class MarketVersions implements StateVersions {
  readonly #maxKeys: number;
  readonly #now: () => number;
  /** Versions of different processes differ, because each counts for itself. */
  readonly #process = randomBytes(9).toString("base64url");
  readonly #changes = new Map<string, LastChange>();
  /** The same for a table of all collections of a chain. */
  readonly #changesOfTables = new Map<string, LastChange>();
  /** The last change of all keys together. */
  #changeOfAll: LastChange;
  #version = 0;
  /** When the last complete sweep started. */
  #sweptAt = Number.NEGATIVE_INFINITY;
  /** All changes by time are known until then. */
  #knownUntil = Number.NEGATIVE_INFINITY;
  /** The database's clock minus the host's, at the last sweep: between these, because the sweep took some time. */
  #clockOffset = { min: 0, max: 0 };

  constructor({ maxKeys = 50_000, now = () => performance.now() }: MarketVersionsOptions = {}) {
    this.#maxKeys = maxKeys;
    this.#now = now;
    this.#changeOfAll = this.#changeNow();
  }

  versionOf(keys: readonly string[]): string | undefined {
    const now = this.#now();
    if (now >= this.#knownUntil || !this.#isCertain(this.#changeOfAll, now)) return undefined;
    let { version } = this.#changeOfAll;
    for (const key of keys) {
      const change = this.#changes.get(key) ?? this.#changesOfTables.get(key);
      if (change === undefined) continue;
      if (!this.#isCertain(change, now)) return undefined;
      version = Math.max(version, change.version);
    }
    return `${this.#process}.${version}`;
  }

  /** The database has reported a change. */
  changed(key: string): void {
    const change = this.#changeNow();
    this.#set(key, change);
    const [chainId, , table] = key.split(" ");
    if (table !== undefined) this.#changesOfTables.set(`${chainId} ${table}`, change);
  }

  /** Reports may have been missed. Nothing is certain until a sweep on a connection that receives reports again. */
  missed(): void {
    this.#changeAll();
  }

  /** `startedAt`: before the database was asked. */
  swept({ databaseNow, transitions, isComplete }: Sweep, startedAt: number): void {
    const now = this.#now();
    const offset = { min: databaseNow - now, max: databaseNow - startedAt };
    const { min, max } = this.#clockOffset;
    const wasClockSet = offset.min > max + driftMs || offset.max < min - driftMs;
    if (!isComplete || wasClockSet || startedAt > this.#knownUntil) this.#changeAll();
    for (const { key, inMs } of transitions) {
      if (inMs + settleMs <= 0) continue;
      const { learnedAt, settledAt } = this.#changes.get(key) ?? never;
      this.#set(key, {
        version: ++this.#version,
        learnedAt,
        settledAt: Math.max(settledAt, now + inMs + settleMs),
      });
    }
    this.#clockOffset = offset;
    this.#sweptAt = startedAt;
    this.#knownUntil = startedAt + aheadMs - driftMs;
  }

  #isCertain({ learnedAt, settledAt }: LastChange, now: number): boolean {
    return learnedAt < this.#sweptAt && settledAt <= now;
  }

  #changeNow(): LastChange {
    const now = this.#now();
    return { version: ++this.#version, learnedAt: now, settledAt: now + settleMs };
  }

  #set(key: string, change: LastChange): void {
    if (this.#changes.size >= this.#maxKeys && !this.#changes.has(key)) this.#changeAll();
    this.#changes.set(key, change);
  }

  #changeAll(): void {
    this.#changes.clear();
    this.#changesOfTables.clear();
    this.#changeOfAll = this.#changeNow();
  }
}

/* Names of the parts of the market's data, as in the messages of `notify_market_change` in the database. */

export interface StateVersions {
  /** The version of the data that these keys name; undefined while it is uncertain. Take it before the data is read. */
  versionOf(keys: readonly string[]): string | undefined;
}

/** The tables of a collection that change separately. */
export type MarketTable =
  | "market_order"
  | "collectible"
  | "asset"
  | "collectible_owner"
  | "followed_collection";

/** The keys of tables of collections. Addresses are lower case. */
export function collectionKeys(
  chainId: number,
  addresses: readonly string[],
  tables: readonly MarketTable[],
): readonly string[] {
  return [
    chainKey(chainId),
    ...addresses.flatMap((address) => tables.map((table) => `${chainId} ${address} ${table}`)),
  ];
}

/** The keys of tables of all collections of a chain. */
export function allCollectionsKeys(chainId: number, tables: readonly MarketTable[]): readonly string[] {
  return [chainKey(chainId), ...tables.map((table) => `${chainId} ${table}`)];
}

/** The key of a chain's currencies and their rates. */
export function currencyKey(chainId: number): string {
  return `${chainId} currency`;
}

/** Changes if more collections have changed than the database lists one by one. */
function chainKey(chainId: number): string {
  return String(chainId);
}

/** NOTIFY channel of `notify_market_change`. */
const channel = "market_change";

/** Interval between sweeps, in milliseconds. Two may fail or be late before versions become uncertain. */
const sweepMs = 1_000;

/** Follows the market's changes on a connection of its own. */
export function openMarketVersions(
  { connection }: Pick<Database, "connection">,
  options: MarketVersionsOptions = {},
): StateVersions & AsyncDisposable {
  const { now = () => performance.now() } = options;
  const versions = new MarketVersions(options);
  const listener = listen({
    connection,
    channel,
    onMessage: (key) => versions.changed(key),
    onGap: () => versions.missed(),
    heartbeat: {
      intervalMs: sweepMs,
      beat: async (client) => {
        const startedAt = now();
        const { rows } = await client.query<Sweep>(sweepSql);
        for (const sweep of rows) versions.swept(sweep, startedAt);
      },
    },
  });
  return {
    versionOf: (keys) => versions.versionOf(keys),
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

/** What a sweep finds: when time alone changes responses, because orders start or end, or rates become too old. */
export interface Sweep {
  /** Clock of the database, in milliseconds. */
  readonly databaseNow: number;
  readonly transitions: readonly Transition[];
  /** False: there are more transitions than a sweep reads. */
  readonly isComplete: boolean;
}

export interface Transition {
  /** The key of what changes. */
  readonly key: string;
  /** Time from the database's clock to the last change of this key, in milliseconds; negative: it has happened. */
  readonly inMs: number;
}

/** How far a sweep looks ahead, in milliseconds. */
const aheadMs = 4_000;

/** How far a sweep looks back, in milliseconds: as long as reads may show the state before a transition, and more. */
const backMs = 3_000;

/** Most orders that a sweep reads for each kind of transition. Reading them takes some milliseconds. */
export const maxOrders = 2_000;

const isNear = (time: string): string =>
  `${time} > now() - interval '${backMs} milliseconds' and ${time} <= now() + interval '${aheadMs} milliseconds'`;

/** One row of Sweep. The conditions on orders must match the predicates of `order_end` and `order_start`. */
export const sweepSql: string = `
  with ending as materialized (
    select collection_id, valid_until as at from market_order
    where status in ('active', 'inactive') and ${isNear("valid_until")}
    order by valid_until limit ${maxOrders + 1}
  ), starting as materialized (
    select collection_id, valid_from as at from market_order
    where status = 'active' and deleted_at is null and valid_from > created_at and ${isNear("valid_from")}
    order by valid_from limit ${maxOrders + 1}
  ), transition as (
    select concat_ws(' ', chain_id, address, 'market_order') as key, max(at) as at
    from (select * from ending union all select * from starting) as changing
    join collection on collection.id = changing.collection_id
    group by chain_id, address
    union all
    select chain_id || ' currency', max(good_until)
    from currency_rate join currency on currency.id = currency_rate.currency_id
    where ${isNear("good_until")}
    group by chain_id
  )
  select (extract(epoch from now()) * 1000)::float8 as "databaseNow",
    greatest((select count(*) from ending), (select count(*) from starting)) <= ${maxOrders} as "isComplete",
    coalesce((
      select json_agg(json_build_object('key', key, 'inMs', extract(epoch from at - now()) * 1000)) from transition
    ), '[]') as transitions`;
