import type { Queries, Statement } from "../../../base/storage/database.ts";
import {
  type AssetRow,
  assetsOf,
  type OwnTokenRow,
  type TokenConditions,
  type TokenRow,
  tokenJson,
  wantedTable,
} from "../collectibles/token-sql.ts";
import type { Currency } from "../currencies/currency.ts";
import { json, jsonListOf, jsonOrNull, jsonRow, nested, readRows } from "../json-row.ts";
import { Parameters } from "../parameters.ts";
import {
  noPart,
  ownOffersTable,
  type PartOptions,
  partColumns,
  place,
  segments,
  withOfferForAny,
  withOrder,
  withoutOrder,
} from "./collectible-parts.ts";
import { isAfter, orderBy, type PageEnd, pageEndColumn, type SortKey } from "./collectible-sort.ts";
import type { Lane, OrderConditions } from "./competition.ts";
import { type OrderRow, ownOrderJson } from "./order-columns.ts";
import {
  bestOrder,
  competitionKeys,
  hereTable,
  laneTable,
  namedLanesMax,
  ofAnyToken,
  otherConditions,
  type Side,
} from "./order-sql.ts";
import {
  betterOffer,
  hasNoUnpricedOrder,
  unpricedTables,
  withUnpricedListing,
  withUnpricedOffer,
} from "./unpriced-parts.ts";

export interface CollectiblesAsk {
  readonly chainId: number;
  readonly contractAddress: string;
  /** Undefined: both sides, and a listing goes before an offer. */
  readonly side: Side | undefined;
  readonly includeEmpty: boolean;
  readonly orders: OrderConditions;
  readonly tokens: TokenConditions;
  readonly lanes: readonly Lane[];
  /**
   * Ids of the currencies that never count as unpriced. Tokens whose only live orders are in other currencies follow all tokens with an
   * order in a lane. Undefined: such tokens count as tokens without an order.
   */
  readonly unpricedExcept?: readonly number[] | undefined;
  /** Empty: by best price. */
  readonly sort: readonly SortKey[];
  readonly pageSize: number;
  /** Entries to leave out, counted from the start or from the end of another page. */
  readonly offset: number;
  readonly end?: PageEnd | undefined;
}

export interface CollectibleRow {
  readonly token: TokenRow;
  /** The cheapest listing, and the dearest offer, among those that count. */
  readonly listing: OrderRow | undefined;
  readonly offer: OrderRow | undefined;
}

export interface CollectiblesPage {
  readonly rows: readonly CollectibleRow[];
  readonly more: boolean;
  /** Undefined: nothing follows. */
  readonly end: PageEnd | undefined;
}

/** Tokens with their best orders, in one statement, so that all of a page is of one moment. */
export async function listCollectibles(queries: Queries, ask: CollectiblesAsk): Promise<CollectiblesPage> {
  const [found] = await queries.query<Found>(...statementOf(ask));
  const entries = readRows(entryJson, found?.entries);
  const orders = ordersOf(found, entries, ask);
  const order = (id: number | null): OrderRow | undefined => (id === null ? undefined : orders.get(id));
  const rows = entries.map(({ id, token, listing, offer }) => ({
    token: { ...token, assets: found?.assets?.[id] ?? null },
    listing: order(listing),
    offer: order(offer),
  }));
  return { rows, more: found?.end != null, end: found?.end ?? undefined };
}

interface Found {
  /** JSON. Null: none. */
  readonly orders: string | null;
  readonly entries: string | null;
  /** Those of the orders, if some may be in no lane. Null: none. */
  readonly currencies?: readonly Currency[] | null;
  /** By the ids of tokens. */
  readonly assets: Readonly<Record<number, readonly AssetRow[]>> | null;
  /** Null: nothing follows. */
  readonly end: PageEnd | null;
}

interface Entry {
  readonly id: number;
  readonly listing: number | null;
  readonly offer: number | null;
  readonly token: OwnTokenRow;
}

const entryJson = jsonRow<Entry>({
  id: json("token.id"),
  listing: jsonOrNull("shown.listing_id"),
  offer: jsonOrNull("shown.offer_id"),
  token: nested(tokenJson),
});

/** By their ids. What they share is known, or stands with the tokens. */
function ordersOf(
  found: Pick<Found, "orders" | "currencies"> | undefined,
  entries: readonly Entry[],
  { chainId, contractAddress, lanes }: CollectiblesAsk,
): ReadonlyMap<number, OrderRow> {
  const known = [...lanes.map(({ currency }) => currency), ...(found?.currencies ?? [])];
  const currencies = new Map(known.map((currency) => [currency.id, currency]));
  const tokenIds = new Map(entries.map(({ id, token }) => [id, token.tokenId]));
  return new Map(
    readRows(ownOrderJson, found?.orders).map((own) => {
      const currency = currencies.get(own.currencyId);
      if (currency === undefined) throw new Error(`the currency of order ${own.id} was not read`);
      const tokenId = own.collectibleId === null ? null : (tokenIds.get(own.collectibleId) ?? null);
      return [own.id, { own, chainId, contractAddress, tokenId, currency }];
    }),
  );
}

function statementOf(ask: CollectiblesAsk): [Statement, readonly unknown[]] {
  const { pageSize, offset, sort, end, side, includeEmpty, unpricedExcept: except } = ask;
  const sides = sidesOf(ask);
  const parameters = new Parameters();
  const here = hereTable(ask.chainId, ask.contractAddress, parameters);
  const lane = laneTable(ask.lanes, parameters);
  const wanted = wantedTable(ask.tokens, parameters);
  const others = otherConditions(ask.orders, parameters);
  const size = parameters.bind(pageSize, "int");
  const skipped = parameters.bind(offset, "bigint");
  const isWalk = sort.length === 0;
  const parts = partsOf(ask, (segment) => ({
    parameters,
    others,
    hasWanted: wanted !== undefined,
    walk: isWalk
      ? { most: `${skipped} + ${size} + 1`, end: end?.[0] === String(segment) ? end : undefined }
      : undefined,
    listingsGoFirst: side === undefined,
  }));
  const after = end === undefined || isWalk ? "" : `where ${isAfter(sort, end, parameters)}`;
  const hasRoom = `(select count(*) from priced) <= ${skipped} + ${size}`;
  const text = `
    with ${here}, ${lane}, ${wanted === undefined ? "" : `${wanted}, `}for_any as materialized (${bestOrder("offer", ofAnyToken, others)}
    ), ${ownOffersTable(others, `${size} + 1`)}, priced as materialized (${firstOf(parts.priced)}
      limit ${skipped} + ${size} + 1
    ), ${except === undefined ? "" : `${unpricedTables({ except, sides, others, parameters, isNeeded: hasRoom })}, `}ranked as materialized (
      select *, row_number() over (order by ${orderBy(sort)}) as place from (${firstOf(["\n        select * from priced", ...parts.others])}
        limit ${size} + 1 offset ${skipped}
      ) as page
    ), shown as materialized (
      select ranked.place, ranked.collectible_id, ${knownIn(
        [segments.listing],
        `(select id from (${bestOrder("listing", place("listing", "ranked.collectible_id"), others)}) as one)`,
        listsUnpriced("listing") ? "unpriced_listing.id" : "null",
      )} as listing_id, ${knownIn(
        [segments.offer, segments.offerForAny],
        `case when (select are_known from own_offers) then coalesce(own_offer.id, (select id from for_any)) else (
          select id from (
            select * from for_any
            union all
            select * from (${bestOrder("offer", place("offer", "ranked.collectible_id"), others)}) as own
            order by ${competitionKeys()}
            limit 1
          ) as one
        ) end`,
        listsUnpriced("offer") ? `(select id from (${betterOffer("unpriced_offer")}) as one)` : "null",
      )} as offer_id
      from ranked
      left join own_offer using (collectible_id)
      ${sides
        .filter(listsUnpriced)
        .map((one) => `left join unpriced_${one} using (collectible_id)`)
        .join(" ")}
      where ranked.place <= ${size}
    )
    select (
      select ${jsonListOf(ownOrderJson)}
      from market_order as o
      where o.id in (select listing_id from shown union select offer_id from shown)
    ) as orders, ${except === undefined ? "" : currenciesColumn}(
      select ${jsonListOf(entryJson, "order by shown.place")}
      from shown
      join collectible as token on token.id = shown.collectible_id
    ) as entries, (${assetsOf("select collectible_id from shown")}
    ) as assets, (
      select ${pageEndColumn(sort)} from ranked
      where place = ${size} and exists (select from ranked where place > ${size})
    ) as "end"`;
  return [{ text, ...nameOf() }, parameters.values];

  function firstOf(some: readonly string[]): string {
    return `
        select * from (${some.join("\n    union all")}
        ) as part
        ${after}
        order by ${orderBy(sort)}`;
  }

  function listsUnpriced(one: Side): boolean {
    return except !== undefined && sides.includes(one);
  }

  /** A walk has found the best order of its entries already, of one side. Only entries without a priced order have an unpriced one. */
  function knownIn(segmentsOfSide: readonly number[], searched: string, unpriced: string): string {
    const known = isWalk ? `when ranked.segment in (${segmentsOfSide.join(", ")}) then ranked.id` : "";
    const isUnpriced = `ranked.segment in (${segments.unpricedListing}, ${segments.unpricedOffer})`;
    return `case ${known} when ${isUnpriced} then coalesce(${searched}, ${unpriced}) else ${searched} end`;
  }

  /** Of the forms that are asked for often, so that each is planned once a connection. */
  function nameOf(): { readonly name?: string } {
    if (!isWalk || wanted !== undefined || others("") !== "" || ask.lanes.length > namedLanesMax) return {};
    return {
      name: `collectibles-${side ?? "both"}-${includeEmpty ? "all" : "ordered"}-${end?.[0] ?? "first"}-${ask.lanes.length}${except === undefined ? "" : "-unpriced"}`,
    };
  }
}

function sidesOf({ side }: CollectiblesAsk): readonly Side[] {
  return side === undefined ? ["listing", "offer"] : [side];
}

/** Of the orders that are shown. */
const currenciesColumn = `(
      select json_agg(json_build_object('id', id, 'address', address, 'decimals', decimals)) from currency
      where id in (
        select currency_id from market_order where id in (select listing_id from shown union select offer_id from shown)
      )
    ) as currencies, `;

interface Parts {
  /** Tokens with an order in a lane, which go first. */
  readonly priced: readonly string[];
  readonly others: readonly string[];
}

/** Those that the page may need. By best price they follow each other; with another sort all that have an order in a lane are mixed. */
function partsOf(ask: CollectiblesAsk, optionsOf: (segment: number) => PartOptions): Parts {
  const { includeEmpty, sort, end, unpricedExcept } = ask;
  const sides = sidesOf(ask);
  const listsUnpriced = unpricedExcept !== undefined;
  const all = [
    {
      segment: segments.listing,
      isAsked: sides.includes("listing"),
      write: (options: PartOptions) => withOrder("listing", options),
    },
    {
      segment: segments.offer,
      isAsked: sides.includes("offer"),
      write: (options: PartOptions) => withOrder("offer", options),
    },
    { segment: segments.offerForAny, isAsked: sides.includes("offer"), write: withOfferForAny },
    {
      segment: segments.unpricedListing,
      isAsked: listsUnpriced && sides.includes("listing"),
      write: (options: PartOptions) => withUnpricedListing(sides, options),
    },
    {
      segment: segments.unpricedOffer,
      isAsked: listsUnpriced && sides.includes("offer"),
      write: (options: PartOptions) => withUnpricedOffer(sides, options),
    },
    {
      segment: segments.noOrder,
      isAsked: includeEmpty,
      write: (options: PartOptions) =>
        withoutOrder(sides, options, listsUnpriced ? hasNoUnpricedOrder(sides) : []),
    },
  ];
  const isMixed = sort.length > 0;
  const needed = all
    .filter(({ segment, isAsked }) => isAsked && (isMixed || segment >= Number(end?.[0] ?? 0)))
    .map(({ segment, write }) => {
      const shown = isMixed ? mixedSegment(segment) : segment;
      const part = `
        select ${partColumns.replace("segment", `${shown} as segment`)} from (${write(optionsOf(segment))}) as one`;
      return { part, isPriced: segment < segments.unpricedListing };
    });
  const partsThat = (isPriced: boolean): readonly string[] =>
    needed.filter((one) => one.isPriced === isPriced).map(({ part }) => part);
  const priced = partsThat(true);
  return { priced: priced.length === 0 ? [noPart] : priced, others: partsThat(false) };
}

/** Where orders of several segments are sorted together, their tokens have the number of the first of these segments. */
function mixedSegment(segment: number): number {
  if (segment === segments.noOrder) return segment;
  return segment < segments.unpricedListing ? segments.listing : segments.unpricedListing;
}
