import type { Queries, Statement } from "../../../base/storage/database.ts";
import { Parameters } from "../../../base/storage/sql.ts";
import { collectionCte } from "../collectibles/ids.ts";
import {
  type AssetRow,
  assetsOf,
  cutToken,
  type OwnTokenRow,
  type TokenRow,
  tokenJson,
  wantedTable,
} from "../collectibles/token-sql.ts";
import type { Currency } from "../currencies/currency.ts";
import { type JsonRow, json, jsonListOf, jsonOrNull, jsonRow, nested, readRows } from "../json-row.ts";
import {
  type CollectiblesQuery,
  cursorColumn,
  isAfter,
  orderBy,
  type PageCursor,
  type SortKeys,
  sidesOf,
  tokenKeysOf,
} from "./collectibles-query.ts";
import {
  bestOrder,
  isForAnyToken,
  maxBandsOfNamedStatement,
  type OrderFilter,
  type OrderRow,
  orderFilter,
  ownOrderJson,
  priceBandCte,
  rankingKeys,
  type Side,
} from "./order-sql.ts";
import {
  betterOffer,
  isListed,
  ordersOfToken,
  ownOfferCtes,
  type PageSegments,
  segmentNumbers,
  segmentsForPage,
  unlessWalked,
  unpricedTables,
  walkSegment,
} from "./page-segments.ts";
import { isByToken, walkTables } from "./token-walk.ts";

export interface CollectibleRow {
  readonly token: TokenRow;
  /** The cheapest listing and the highest offer that pass the filter. */
  readonly listing: OrderRow | undefined;
  readonly offer: OrderRow | undefined;
}

interface CollectiblesPage {
  readonly rows: readonly CollectibleRow[];
  readonly more: boolean;
  readonly cursor: PageCursor | undefined;
}

/** Lists tokens with their best orders. One statement reads them all, so that a page is a consistent snapshot. */
export async function listCollectibles(
  queries: Queries,
  query: CollectiblesQuery,
): Promise<CollectiblesPage> {
  const [found] = await queries.query<PageRow>(...new CollectiblesStatement(query).build());
  const entries = readRows(entryJson, found?.entries);
  const orders = ordersOf(found, entries, query);
  const order = (id: number | null): OrderRow | undefined => (id === null ? undefined : orders.get(id));
  const rows = entries.map(({ id, token, listing, offer }) => ({
    token: { ...token, assets: found?.assets?.[id] ?? null },
    listing: order(listing),
    offer: order(offer),
  }));
  return { rows, more: found?.end != null, cursor: found?.end ?? undefined };
}

/** The single row of the statement. */
interface PageRow {
  /** JSON. Null if empty. */
  readonly orders: string | null;
  readonly entries: string | null;
  /** Currencies of the orders, selected if some orders may be in no band. Null if none. */
  readonly currencies?: readonly Currency[] | null;
  /** By token id. */
  readonly assets: Readonly<Record<number, readonly AssetRow[]>> | null;
  readonly end: PageCursor | null;
}

/** Orders by id. Shared values come from the query or from the tokens, so that the database sends them once. */
function ordersOf(
  found: Pick<PageRow, "orders" | "currencies"> | undefined,
  entries: readonly Entry[],
  { chainId, contractAddress, bands }: CollectiblesQuery,
): ReadonlyMap<number, OrderRow> {
  const known = [...bands.map(({ currency }) => currency), ...(found?.currencies ?? [])];
  const currencies = new Map(known.map((currency) => [currency.id, currency]));
  const tokenIds = new Map(entries.map(({ id, token }) => [id, token.tokenId]));
  return new Map(
    readRows(ownOrderJson, found?.orders).map((columns) => {
      const currency = currencies.get(columns.currencyId);
      if (currency === undefined) throw new Error(`the currency of order ${columns.id} was not read`);
      const tokenId = columns.collectibleId === null ? null : (tokenIds.get(columns.collectibleId) ?? null);
      return [columns.id, { own: columns, chainId, contractAddress, tokenId, currency }];
    }),
  );
}

interface Entry {
  readonly id: number;
  readonly listing: number | null;
  readonly offer: number | null;
  readonly token: OwnTokenRow;
}

const entryJson: JsonRow<Entry> = jsonRow<Entry>({
  id: json("token.id"),
  listing: jsonOrNull("shown.listing_id"),
  offer: jsonOrNull("shown.offer_id"),
  token: nested(tokenJson),
});

/** Builds the statement of a token list: CTEs that build on each other, then the columns of its single row. */
class CollectiblesStatement {
  readonly #query: CollectiblesQuery;
  readonly #sides: readonly Side[];
  readonly #parameters = new Parameters();
  readonly #collection: string;
  readonly #band: string;
  readonly #tokenFilter: string | undefined;
  readonly #filter: OrderFilter;
  /** Parameters of the page size and of the entries to skip. */
  readonly #size: string;
  readonly #skipped: string;
  readonly #keys: SortKeys;
  /** Whether the list is sorted by best price, which scans the order indexes. */
  readonly #isIndexScan: boolean;
  /** Whether the list is sorted by token id, which walks through the tokens. */
  readonly #isWalk: boolean;

  constructor(query: CollectiblesQuery) {
    const parameters = this.#parameters;
    this.#query = query;
    this.#sides = sidesOf(query);
    this.#collection = collectionCte(query.chainId, query.contractAddress, parameters);
    this.#band = priceBandCte(query.bands, parameters);
    this.#tokenFilter = wantedTable(query.tokens, parameters);
    this.#filter = orderFilter(query.orders, parameters);
    this.#size = parameters.bind(query.pageSize, "int");
    this.#skipped = parameters.bind(query.offset, "bigint");
    this.#keys = tokenKeysOf(query.sort);
    this.#isIndexScan = query.sort.length === 0;
    const isAmongOrders = query.after === undefined || query.after[0] === String(segmentNumbers.listing);
    this.#isWalk = isByToken(query.sort) && this.#tokenFilter === undefined && isAmongOrders;
  }

  build(): [Statement, readonly unknown[]] {
    const parts = this.#segments();
    const after = this.#after();
    const tables = [
      this.#collection,
      this.#band,
      this.#tokenFilter,
      this.#forAny(),
      ownOfferCtes(this.#filter, `${this.#size} + 1`),
      ...(this.#isWalk ? [this.#unpriced(), this.#walk()] : []),
      this.#priced(parts.priced, after),
      ...(this.#isWalk ? [] : [this.#unpriced()]),
      this.#ranked(parts.others, after),
      this.#shown(),
    ];
    const columns = [
      ordersColumn,
      this.#query.unpricedExclusions === undefined ? undefined : currenciesColumn,
      this.#entriesColumn(),
      `(${assetsOf("select collectible_id from shown", this.#size)}
    ) as assets`,
      this.#cursorColumn(),
    ];
    const text = `
    with ${withoutUndefined(tables).join(", ")}
    select ${withoutUndefined(columns).join(", ")}`;
    return [{ text, ...this.#name() }, this.#parameters.values];
  }

  #segments(): PageSegments {
    const { after, side } = this.#query;
    const { priced, others } = segmentsForPage(this.#query, (segment) => ({
      parameters: this.#parameters,
      filter: this.#filter,
      hasTokenFilter: this.#tokenFilter !== undefined,
      scan: this.#isIndexScan
        ? {
            limit: `${this.#skipped} + ${this.#size} + 1`,
            after: after?.[0] === String(segment) ? after : undefined,
          }
        : undefined,
      skipListedTokens: side === undefined,
    }));
    if (!this.#isWalk) return { priced, others };
    return { priced: [walkSegment, ...priced.map(unlessWalked)], others: others.map(unlessWalked) };
  }

  #walk(): string {
    const { sort, after } = this.#query;
    const unpriced = this.#sides.filter((side) => this.#listsUnpriced(side));
    return walkTables({
      sort,
      after,
      limit: `${this.#skipped} + ${this.#size} + 2`,
      isListed: isListed(this.#sides, unpriced, this.#filter),
      parameters: this.#parameters,
    });
  }

  /** Condition on the cursor for sorts other than best price. An index scan applies its cursor itself. */
  #after(): string {
    const { after } = this.#query;
    return after === undefined || this.#isIndexScan
      ? ""
      : `where ${isAfter(this.#keys, after, this.#parameters)}`;
  }

  #forAny(): string {
    return `for_any as materialized (${bestOrder("offer", isForAnyToken, this.#filter)}
    )`;
  }

  /** The first tokens with an order in a band. */
  #priced(parts: readonly string[], after: string): string {
    return `priced as materialized (${this.#firstOf(parts, after)}
      limit ${this.#skipped} + ${this.#size} + 1
    )`;
  }

  /** The tokens without a priced order. By best price they follow all others, and are read if the page has room left. */
  #unpriced(): string | undefined {
    const excludedCurrencies = this.#query.unpricedExclusions;
    if (excludedCurrencies === undefined) return undefined;
    const isNeeded = this.#isIndexScan
      ? `(select count(*) from priced) <= ${this.#skipped} + ${this.#size}`
      : "true";
    return unpricedTables({
      excludedCurrencies,
      sides: this.#sides,
      filter: this.#filter,
      parameters: this.#parameters,
      isNeeded,
    });
  }

  /** The page, plus one entry if another page follows. */
  #ranked(others: readonly string[], after: string): string {
    return `ranked as materialized (
      select *, row_number() over (order by ${orderBy(this.#keys)}) as place from (${this.#firstOf(["\n        select * from priced", ...others], after)}
        limit ${this.#size} + 1 offset ${this.#skipped}
      ) as page
    )`;
  }

  #firstOf(parts: readonly string[], after: string): string {
    return `
        select * from (${parts.join("\n    union all")}
        ) as part
        ${after}
        order by ${orderBy(this.#keys)}`;
  }

  #shown(): string {
    const unpriced = this.#sides
      .filter((side) => this.#listsUnpriced(side))
      .map((side) => `left join unpriced_${side} using (collectible_id)`);
    return `shown as materialized (
      select ranked.place, ranked.collectible_id, ${this.#listing()} as listing_id, ${this.#offer()} as offer_id
      from ranked
      left join own_offer using (collectible_id)
      ${unpriced.join(" ")}
      where ranked.place <= ${this.#size}
    )`;
  }

  #listing(): string {
    const searched = `(select id from (${bestOrder("listing", ordersOfToken("listing", "ranked.collectible_id"), this.#filter)}) as best)`;
    const unpriced = this.#listsUnpriced("listing") ? "unpriced_listing.id" : "null";
    return this.#orderIdOf(searched, [segmentNumbers.listing], unpriced);
  }

  #offer(): string {
    const searched = `case when (select are_known from own_offers) then coalesce(own_offer.id, (select id from for_any)) else (
          select id from (
            select * from for_any
            union all
            select * from (${bestOrder("offer", ordersOfToken("offer", "ranked.collectible_id"), this.#filter)}) as of_token
            order by ${rankingKeys()}
            limit 1
          ) as best
        ) end`;
    const unpriced = this.#listsUnpriced("offer")
      ? `(select id from (${betterOffer("unpriced_offer")}) as best)`
      : "null";
    return this.#orderIdOf(searched, [segmentNumbers.offer, segmentNumbers.offerForAny], unpriced);
  }

  /**
   * Returns SQL for the order that an entry shows. If an index scan found the entry in one of the segments `own`, it has already found this
   * order. Otherwise `searched` finds it, or `unpriced` for entries without a priced order.
   */
  #orderIdOf(searched: string, own: readonly number[], unpriced: string): string {
    const known = this.#isIndexScan ? `when ranked.segment in (${own.join(", ")}) then ranked.id` : "";
    // Next to unpriced orders, all bands have the tier 0.
    return `case ${known} when ranked.tier > 0 then coalesce(${searched}, ${unpriced}) else ${searched} end`;
  }

  #listsUnpriced(side: Side): boolean {
    return this.#query.unpricedExclusions !== undefined && this.#sides.includes(side);
  }

  #entriesColumn(): string {
    return `(
      select ${jsonListOf(entryJson, "order by shown.place")}
      from shown
      join collectible as token on token.id = shown.collectible_id
      ${cutToken(this.#size)}
    ) as entries`;
  }

  #cursorColumn(): string {
    return `(
      select ${cursorColumn(this.#keys)} from ranked
      where place = ${this.#size} and exists (select from ranked where place > ${this.#size})
    ) as "end"`;
  }

  /** Names frequent forms of the statement, so that each connection plans them once. */
  #name(): { readonly name?: string } {
    const { side, includeEmpty, after, bands, sort, unpricedExclusions } = this.#query;
    if (
      !(this.#isIndexScan || this.#isWalk) ||
      this.#tokenFilter !== undefined ||
      this.#filter("") !== "" ||
      bands.length > maxBandsOfNamedStatement
    )
      return {};
    const order = sort.map((key) => key.order.toLowerCase());
    const parts = [
      ...order,
      side ?? "both",
      includeEmpty ? "all" : "ordered",
      after?.[0] ?? "first",
      bands.length,
    ];
    return {
      name: ["collectibles", ...parts, ...(unpricedExclusions === undefined ? [] : ["unpriced"])].join("-"),
    };
  }
}

const ordersColumn = `(
      select ${jsonListOf(ownOrderJson)}
      from market_order as o
      where o.id in (select listing_id from shown union select offer_id from shown)
    ) as orders`;

const currenciesColumn = `(
      select json_agg(json_build_object('id', id, 'address', address, 'decimals', decimals)) from currency
      where id in (
        select currency_id from market_order where id in (select listing_id from shown union select offer_id from shown)
      )
    ) as currencies`;

function withoutUndefined(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((text) => text !== undefined);
}
