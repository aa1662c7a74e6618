/** Lists and counts the live orders of a collection or of one token. Unlike a list of tokens, with all orders of each. */
import type { Queries, Statement } from "../../../base/storage/database.ts";
import { Parameters } from "../../../base/storage/sql.ts";
import { collectionCte } from "../collectibles/ids.ts";
import {
  type AssetRow,
  assetsOf,
  cutToken,
  isWanted,
  type OwnTokenRow,
  type TokenConditions,
  type TokenRow,
  tokenJson,
  wantedTable,
} from "../collectibles/token-sql.ts";
import { type JsonRow, json, jsonListOf, jsonRow, nested, readRows } from "../json-row.ts";
import {
  cursorColumn,
  isAfter,
  orderBy,
  orderKeysOf,
  type PageCursor,
  type SortKey,
} from "./collectibles-query.ts";
import {
  firstByIndex,
  forAnyToken,
  isLiveInBand,
  maxBandsOfNamedStatement,
  type OrderFilter,
  type OrderRow,
  orderFilter,
  orderJoinsOfCollection,
  orderJson,
  priceBandCte,
  priceRank,
  priceRankInBand,
  type Side,
  tokenIdSql,
} from "./order-sql.ts";
import { firstInGap, gapCte, isAfterCursor, isAfterCursorInGap, isLiveInGap } from "./page-segments.ts";
import type { OrderConditions, PriceBand } from "./price-bands.ts";
import { hasOrder, isByToken, type TokenWalk, walkTables } from "./token-walk.ts";

export interface LiveOrdersQuery {
  readonly chainId: number;
  readonly contractAddress: string;
  /** Undefined: all tokens. */
  readonly tokenId?: string | undefined;
  /** The orders of the first side come first by best price. */
  readonly sides: readonly Side[];
  /** Whether offers for any token of the collection count. */
  readonly countsOffersForAny: boolean;
  readonly orders: OrderConditions;
  readonly tokens: TokenConditions;
  readonly bands: readonly PriceBand[];
  /** As in CollectiblesQuery. */
  readonly unpricedExclusions: readonly number[] | undefined;
}

export interface LiveOrdersPage extends LiveOrdersQuery {
  /** Empty for best price. */
  readonly sort: readonly SortKey[];
  readonly pageSize: number;
  readonly offset: number;
  readonly after: PageCursor | undefined;
  /** Whether to read the tokens of the orders. */
  readonly withTokens: boolean;
}

export interface LiveOrderRow {
  readonly order: OrderRow;
  /** Undefined for an offer for any token, or if no tokens are read. */
  readonly token: TokenRow | undefined;
}

interface FoundOrders {
  readonly rows: readonly LiveOrderRow[];
  readonly more: boolean;
  readonly cursor: PageCursor | undefined;
}

/** Lists orders. One statement reads them all, so that a page is a consistent snapshot. */
export async function listLiveOrders(queries: Queries, query: LiveOrdersPage): Promise<FoundOrders> {
  const [found] = await queries.query<PageRow>(...new LiveOrdersStatement(query).list(query));
  const tokens = new Map(
    readRows(tokenEntryJson, found?.tokens).map(({ id, token }) => [
      id,
      { ...token, assets: found?.assets?.[id] ?? null },
    ]),
  );
  const rows = readRows(orderJson, found?.orders).map((order) => {
    const id = order.own.collectibleId;
    return { order, token: id === null ? undefined : tokens.get(id) };
  });
  return { rows, more: found?.end != null, cursor: found?.end ?? undefined };
}

export async function countLiveOrders(queries: Queries, query: LiveOrdersQuery): Promise<number> {
  const [found] = await queries.query<{ readonly count: number }>(...new LiveOrdersStatement(query).count());
  return found?.count ?? 0;
}

/** The single row of a list. */
interface PageRow {
  /** JSON. Null if empty. */
  readonly orders: string | null;
  readonly tokens?: string | null;
  readonly assets?: Readonly<Record<number, readonly AssetRow[]>> | null;
  readonly end: PageCursor | null;
}

interface TokenEntry {
  readonly id: number;
  readonly token: OwnTokenRow;
}

const tokenEntryJson: JsonRow<TokenEntry> = jsonRow<TokenEntry>({
  id: json("token.id"),
  token: nested(tokenJson),
});

/** Orders of one side and scope, with a price in a band or not: a segment of a list by best price. */
interface Part {
  readonly side: Side;
  readonly scope: string;
  readonly isPriced: boolean;
  readonly isForAny: boolean;
  /** Whether `scope` refers to the tokens of `walk`. */
  readonly isWalk?: boolean;
}

class LiveOrdersStatement {
  readonly #query: LiveOrdersQuery;
  readonly #parameters = new Parameters();
  readonly #tables: readonly (string | undefined)[];
  readonly #token: string | undefined;
  readonly #filter: OrderFilter;
  readonly #hasTokenFilter: boolean;

  constructor(query: LiveOrdersQuery) {
    const parameters = this.#parameters;
    const { unpricedExclusions, tokenId } = query;
    this.#query = query;
    const wanted = wantedTable(query.tokens, parameters);
    this.#tables = [
      collectionCte(query.chainId, query.contractAddress, parameters),
      priceBandCte(query.bands, parameters),
      wanted,
      unpricedExclusions === undefined ? undefined : gapCte(unpricedExclusions, parameters),
    ];
    this.#token = tokenId === undefined ? undefined : tokenIdSql(tokenId, parameters);
    this.#filter = orderFilter(query.orders, parameters);
    this.#hasTokenFilter = wanted !== undefined;
  }

  count(): [Statement, readonly unknown[]] {
    const counts = this.#parts().map(
      (part) => `
      select count(*) as orders ${this.#from(part, "", "")}`,
    );
    const text = `
    with ${this.#written()}
    select sum(orders)::float8 as count from (${counts.join(" union all")}
    ) as counted`;
    return [{ text, ...this.#name(["count"]) }, this.#parameters.values];
  }

  list({ sort, pageSize, offset, after, withTokens }: LiveOrdersPage): [Statement, readonly unknown[]] {
    const isIndexScan = sort.length === 0;
    const keys = orderKeysOf(sort);
    const size = this.#parameters.bind(pageSize, "int");
    const skipped = this.#parameters.bind(offset, "bigint");
    const tokenId = sort.some(({ column }) => column === "tokenId") ? tokenIdOfOrder : "0::numeric";
    const walk = this.#walk({ sort, after, limit: `${skipped} + ${size} + 2` });
    // All of these are in the price indexes, apart from the token's id: no order is fetched but those of the page.
    const sorted = (part: Part): string =>
      `${part.isWalk === true ? "walk.token_id" : tokenId} as token_id, candidate.created_at, candidate.updated_at, candidate.valid_until`;
    const segments = (walk === undefined ? this.#parts() : this.#parts().flatMap(walkedParts))
      .map((part) => ({ part, segment: isIndexScan ? this.#segmentOf(part) : 0 }))
      .filter(({ segment }) => segment >= Number(after?.[0] ?? 0))
      .map(({ part, segment }) => {
        const columns = `${segment} as segment, ${priceOf(part)}, candidate.id, candidate.collectible_id, ${isIndexScan ? "candidate.made_at, candidate.order_id" : sorted(part)}`;
        const start = after?.[0] === String(segment) ? after : undefined;
        const scan = isIndexScan ? this.#scan(part, start, `${skipped} + ${size} + 1`) : "";
        return `
        select part.* ${this.#from(part, columns, scan)}`;
      });
    const isPast =
      after === undefined || isIndexScan ? "" : `where ${isAfter(keys, after, this.#parameters)}`;
    const columns = [
      `(
      select ${jsonListOf(orderJson, "order by page.place")}
      from page join market_order as o on o.id = page.id ${orderJoinsOfCollection}
      where page.place <= ${size}
    ) as orders`,
      ...(withTokens ? tokenColumns(size) : []),
      `(
      select ${cursorColumn(keys)} from page
      where place = ${size} and exists (select from page where place > ${size})
    ) as "end"`,
    ];
    const text = `
    with ${this.#written()},${walk === undefined ? "" : ` ${walk},`} page as materialized (
      select *, row_number() over (order by ${orderBy(keys)}) as place from (
        select * from (${segments.join(" union all")}
        ) as part
        ${isPast}
        order by ${orderBy(keys)} limit ${size} + 1 offset ${skipped}
      ) as found
    )
    select ${columns.join(", ")}`;
    const start = isIndexScan || walk !== undefined ? (after?.[0] ?? "first") : undefined;
    const order = sort.map((key) => key.order.toLowerCase());
    const name = start === undefined ? {} : this.#name([...order, start, withTokens ? "tokens" : "orders"]);
    return [{ text, ...name }, this.#parameters.values];
  }

  /** The tables of a list by token id, unless a filter restricts the tokens. */
  #walk(walk: Pick<TokenWalk, "sort" | "after" | "limit">): string | undefined {
    if (!isByToken(walk.sort) || this.#hasTokenFilter || this.#token !== undefined) return undefined;
    const conditions = this.#parts()
      .filter(({ isForAny }) => !isForAny)
      .map(
        (part) =>
          `exists (select ${this.#from({ ...part, scope: ofToken("token.id") }, "", "offset 0")} offset 0)`,
      );
    return walkTables({ ...walk, isListed: hasOrder(conditions), parameters: this.#parameters });
  }

  #written(): string {
    return this.#tables.filter((table) => table !== undefined).join(", ");
  }

  #parts(): readonly Part[] {
    const { sides, countsOffersForAny, unpricedExclusions } = this.#query;
    const own =
      this.#token === undefined
        ? "candidate.collection_id = (select id from here)"
        : `candidate.collectible_id = ${this.#token}`;
    return [true, ...(unpricedExclusions === undefined ? [] : [false])].flatMap((isPriced) =>
      sides.flatMap((side): readonly Part[] => [
        { side, scope: `${own} and candidate.collectible_id is not null`, isPriced, isForAny: false },
        ...(side === "offer" && countsOffersForAny
          ? [{ side, scope: forAnyToken("candidate"), isPriced, isForAny: true }]
          : []),
      ]),
    );
  }

  /** All orders with a price precede the others. */
  #segmentOf({ side, isPriced }: Part): number {
    const { sides } = this.#query;
    return 1 + sides.indexOf(side) + (isPriced ? 0 : sides.length);
  }

  /** Reads each band, or each gap between the ids of priced currencies. */
  #from({ side, scope, isPriced, isWalk }: Part, columns: string, tail: string): string {
    const tokens = this.#hasTokenFilter ? ` and ${isWanted("candidate.collectible_id")}` : "";
    const orders = `from ${isPriced ? "band" : "gap"} cross join lateral (
          select ${columns}
          from market_order as candidate
          where ${scope} and candidate.side = '${side}'
            and ${isPriced ? isLiveInBand("candidate") : isLiveInGap}${this.#filter("candidate")}${tokens}
          ${tail}
        ) as part`;
    // `offset 0` makes Postgres read the orders token by token, rather than join all orders of the table.
    return isWalk === true
      ? `from walk cross join lateral (select part.* ${orders} offset 0) as part`
      : orders;
  }

  /** Continues after a cursor, and reads no more orders of a band or gap than the page may need. */
  #scan({ side, isPriced }: Part, start: PageCursor | undefined, limit: string): string {
    const parameters = this.#parameters;
    if (isPriced) {
      const isPast = start === undefined ? "" : `and ${isAfterCursor(side, start, parameters)}`;
      return `${isPast} ${firstByIndex(side, "candidate", limit)}`;
    }
    const isPast = start === undefined ? "" : `and ${isAfterCursorInGap(side, start, parameters)}`;
    return `${isPast} ${firstInGap(side, limit)}`;
  }

  /** Names frequent forms of the statement, so that each connection plans them once. */
  #name(form: readonly string[]): { readonly name?: string } {
    const { sides, bands, countsOffersForAny, unpricedExclusions } = this.#query;
    if (this.#hasTokenFilter || this.#filter("") !== "" || bands.length > maxBandsOfNamedStatement) return {};
    const parts = [
      "live",
      ...sides,
      this.#token === undefined ? "collection" : "token",
      countsOffersForAny ? "any" : "own",
      ...form,
      bands.length,
      unpricedExclusions === undefined ? "priced" : "unpriced",
    ];
    return { name: parts.join("-") };
  }
}

function ofToken(token: string): string {
  return `candidate.collectible_id = ${token} and candidate.collectible_id is not null`;
}

/** The orders of the tokens of `walk` if these fill the page, and otherwise all. */
function walkedParts(part: Part): readonly Part[] {
  if (part.isForAny) return [part];
  return [
    { ...part, scope: `(select is_enough from walked) and ${ofToken("walk.id")}`, isWalk: true },
    { ...part, scope: `not (select is_enough from walked) and ${part.scope}` },
  ];
}

/** Sorts offers for any token before the first token. */
const tokenIdOfOrder =
  "coalesce((select token.token_id from collectible as token where token.id = candidate.collectible_id), -1)::numeric";

/** The columns `tier` and `rank`. */
function priceOf({ side, isPriced }: Part): string {
  return isPriced
    ? `band.tier, ${priceRankInBand(side, "candidate")} as rank`
    : `candidate.currency_id as tier, ${priceRank(side, "candidate")} as rank`;
}

/** The columns `tokens` and `assets` of PageRow. */
function tokenColumns(size: string): readonly string[] {
  const shown = `select collectible_id from page where place <= ${size}`;
  return [
    `(
      select ${jsonListOf(tokenEntryJson)}
      from collectible as token ${cutToken(size)}
      where token.id in (${shown})
    ) as tokens`,
    `(${assetsOf(shown, size)}
    ) as assets`,
  ];
}
