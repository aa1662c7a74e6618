import type { Parameters } from "../../../base/storage/sql.ts";
import type { TokenConditions } from "../collectibles/token-sql.ts";
import type { Side } from "./order-sql.ts";
import type { OrderConditions, PriceBand } from "./price-bands.ts";

export interface CollectiblesQuery {
  readonly chainId: number;
  readonly contractAddress: string;
  /** Undefined: both sides, listings before offers. */
  readonly side: Side | undefined;
  readonly includeEmpty: boolean;
  readonly orders: OrderConditions;
  readonly tokens: TokenConditions;
  readonly bands: readonly PriceBand[];
  /**
   * By best price, tokens whose only live orders are in currencies without a rate come after all tokens with an order in a band. These are
   * the ids of the currencies to skip when such orders are read: those with a rate, and those that the filter excludes. Undefined: no such orders are read,
   * and their tokens count as tokens without an order.
   */
  readonly unpricedExclusions?: readonly number[] | undefined;
  /** Empty for best price. */
  readonly sort: readonly SortKey[];
  readonly pageSize: number;
  /** Entries to skip, from the start or after `after`. */
  readonly offset: number;
  readonly after?: PageCursor | undefined;
}

export function sidesOf({ side }: Pick<CollectiblesQuery, "side">): readonly Side[] {
  return side === undefined ? ["listing", "offer"] : [side];
}

export const sortColumns = ["priceUSD", "createdAt", "updatedAt", "tokenId", "validUntil"] as const;

type SortColumn = (typeof sortColumns)[number];

export interface SortKey {
  readonly column: SortColumn;
  readonly order: "ASC" | "DESC";
}

/** The last entry of a page: the values of its sort keys, as text. The first value is the segment. */
export type PageCursor = readonly string[];

interface SqlKey {
  readonly sql: string;
  readonly type: string;
  readonly isDescending?: boolean;
}

const bestPrice: readonly SqlKey[] = [
  { sql: "tier", type: "int" },
  { sql: "rank", type: "numeric" },
  { sql: "made_at", type: "timestamptz" },
  { sql: "order_id", type: "text" },
  { sql: "id", type: "bigint" },
];

const columns: Readonly<Record<SortColumn, SqlKey>> = {
  priceUSD: { sql: "case when tier = 0 then abs(rank) else 0 end", type: "numeric" },
  createdAt: { sql: "created_at", type: "timestamptz" },
  updatedAt: { sql: "updated_at", type: "timestamptz" },
  tokenId: { sql: "token_id", type: "numeric" },
  validUntil: { sql: "valid_until", type: "timestamptz" },
};

/** Orders without a price in dollars come last, in either direction. */
const unpricedLast: SqlKey = { sql: "least(tier, 1)", type: "int" };

/** The complete sort keys, unique per entry: segment, requested columns, `last`. */
export type SortKeys = readonly SqlKey[];

/** The keys of a list of tokens. */
export function tokenKeysOf(sort: readonly SortKey[]): SortKeys {
  return keysOf(sort, { sql: "token_id", type: "numeric" });
}

/** The keys of a list of orders. */
export function orderKeysOf(sort: readonly SortKey[]): SortKeys {
  return keysOf(sort, { sql: "id", type: "bigint" });
}

function keysOf(sort: readonly SortKey[], last: SqlKey): SortKeys {
  const requested = sort.flatMap(({ column, order }): readonly SqlKey[] => {
    const key = { ...columns[column], isDescending: order === "DESC" };
    return column === "priceUSD" ? [unpricedLast, key] : [key];
  });
  return [{ sql: "segment", type: "int" }, ...(sort.length === 0 ? bestPrice : requested), last];
}

export function orderBy(keys: SortKeys): string {
  return keys.map(({ sql, isDescending = false }) => `${sql} ${isDescending ? "desc" : "asc"}`).join(", ");
}

/** SQL of a JSON array of texts, which is a PageCursor. */
export function cursorColumn(keys: SortKeys): string {
  return `json_build_array(${keys.map(({ sql }) => `(${sql})::text`).join(", ")})`;
}

/** SQL condition that an entry comes after a cursor, compared key by key. */
export function isAfter(keys: SortKeys, cursor: PageCursor, parameters: Parameters): string {
  return keys.reduceRight((rest, { sql, type, isDescending = false }, index) => {
    const value = parameters.bind(cursor[index], type);
    const isPast = `${sql} ${isDescending ? "<" : ">"} ${value}`;
    return rest === "" ? isPast : `(${isPast} or (${sql} = ${value} and ${rest}))`;
  }, "");
}

/**
 * Remembers the last entry of recently served pages. The next page continues from there, so that orders added or removed on earlier pages
 * neither repeat nor skip an entry. Pages that are not cached, because of their age or on another replica, are found by offset.
 */
export class PageCursorCache {
  readonly #entries = new Map<string, { readonly cursor: PageCursor; readonly until: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `list` identifies the list: all of its parameters, and its caller. An undefined cursor marks the last page. */
  set(list: string, page: number, cursor: PageCursor | undefined): void {
    const key = `${page} ${list}`;
    this.#entries.delete(key);
    if (cursor === undefined) return;
    this.#entries.set(key, { cursor, until: this.#now() + maxAgeMs });
    if (this.#entries.size > maxEntries)
      for (const oldest of this.#entries.keys()) return void this.#entries.delete(oldest);
  }

  get(list: string, page: number): PageCursor | undefined {
    const entry = this.#entries.get(`${page} ${list}`);
    return entry === undefined || entry.until < this.#now() ? undefined : entry.cursor;
  }
}

/** Longer than people stay on a page. */
const maxAgeMs = 300_000;

/** Each takes half a kilobyte. */
const maxEntries = 20_000;
