import type { Queries, Statement } from "../../storage/database.ts";
import { type TokenConditions, type TokenRow, tokenColumns, wantedTable } from "../collectibles/token-sql.ts";
import { Parameters } from "../parameters.ts";
import {
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
import { type OrderRow, type OwnOrderRow, ownOrderColumns } from "./order-columns.ts";
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

export interface CollectiblesAsk {
  readonly chainId: number;
  readonly contractAddress: string;
  /** Undefined: both sides, and a listing goes before an offer. */
  readonly side: Side | undefined;
  readonly includeEmpty: boolean;
  readonly orders: OrderConditions;
  readonly tokens: TokenConditions;
  readonly lanes: readonly Lane[];
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
  const orders = new Map(ordersOf(found, ask).map((order) => [order.id, order]));
  const order = (id: number | null): OrderRow | undefined => (id === null ? undefined : orders.get(id));
  const rows = (found?.tokens ?? []).map(({ id: _, listing, offer, ...token }) => ({
    token,
    listing: order(listing),
    offer: order(offer),
  }));
  return { rows, more: found?.end != null, end: found?.end ?? undefined };
}

interface Found {
  readonly orders: readonly OwnOrderRow[] | null;
  /** Of all lanes. */
  readonly currencies:
    | readonly { readonly id: number; readonly address: string; readonly decimals: number }[]
    | null;
  readonly tokens:
    | readonly (TokenRow & {
        readonly id: number;
        readonly listing: number | null;
        readonly offer: number | null;
      })[]
    | null;
  /** Null: nothing follows. */
  readonly end: PageEnd | null;
}

/** What the orders of a page share comes once. */
function ordersOf(
  found: Found | undefined,
  { chainId, contractAddress }: CollectiblesAsk,
): readonly OrderRow[] {
  const currencies = new Map(found?.currencies?.map((currency) => [currency.id, currency]));
  const tokenIds = new Map(found?.tokens?.map(({ id, tokenId }) => [id, tokenId]));
  return (found?.orders ?? []).map((order) => {
    const currency = currencies.get(order.currencyId);
    if (currency === undefined) throw new Error(`the order ${order.id} is in no lane`);
    // Added to the row, which is nobody else's: to copy it costs more than to read it.
    return Object.assign(order, {
      chainId,
      collectionContractAddress: contractAddress,
      tokenId: order.collectibleId === null ? null : (tokenIds.get(order.collectibleId) ?? null),
      priceCurrencyAddress: currency.address,
      priceDecimals: currency.decimals,
    });
  });
}

function statementOf(ask: CollectiblesAsk): [Statement, readonly unknown[]] {
  const { pageSize, offset, sort, end, side, includeEmpty } = ask;
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
  const text = `
    with ${here}, ${lane}, ${wanted === undefined ? "" : `${wanted}, `}for_any as materialized (${bestOrder("offer", ofAnyToken, others)}
    ), ranked as materialized (
      select *, row_number() over (order by ${orderBy(sort)}) as place from (
        select * from (${parts.join("\n    union all")}
        ) as part
        ${after}
        order by ${orderBy(sort)}
        limit ${size} + 1 offset ${skipped}
      ) as page
    ), shown as materialized (
      select ranked.place, ranked.collectible_id,
        ${knownIn([segments.listing], bestOrder("listing", place("listing", "ranked.collectible_id"), others))} as listing_id,
        ${knownIn(
          [segments.offer, segments.offerForAny],
          `
          select * from for_any
          union all
          select * from (${bestOrder("offer", place("offer", "ranked.collectible_id"), others)}) as own
          order by ${competitionKeys()}
          limit 1`,
        )} as offer_id
      from ranked
      where ranked.place <= ${size}
    )
    select (
      select json_agg(one) from (
        select ${ownOrderColumns}
        from market_order as o
        where o.id in (select listing_id from shown union select offer_id from shown)
      ) as one
    ) as orders, (
      select json_agg(one) from (
        select id, address, decimals from currency where id in (select currency_id from lane)
      ) as one
    ) as currencies, (
      select json_agg(one) from (
        select token.id, shown.listing_id as listing, shown.offer_id as offer, ${tokenColumns}
        from shown
        join collectible as token on token.id = shown.collectible_id
        order by shown.place
      ) as one
    ) as tokens, (
      select ${pageEndColumn(sort)} from ranked
      where place = ${size} and exists (select from ranked where place > ${size})
    ) as "end"`;
  return [{ text, ...nameOf() }, parameters.values];

  /** A walk has found the best order of its entries already, of one side. */
  function knownIn(segmentsOfSide: readonly number[], search: string): string {
    const searched = `(select id from (${search}) as one)`;
    return isWalk
      ? `case when ranked.segment in (${segmentsOfSide.join(", ")}) then ranked.id else ${searched} end`
      : searched;
  }

  /** Of the forms that are asked for often, so that each is planned once a connection. */
  function nameOf(): { readonly name?: string } {
    if (!isWalk || wanted !== undefined || others("") !== "" || ask.lanes.length > namedLanesMax) return {};
    return {
      name: `collectibles-${side ?? "both"}-${includeEmpty ? "all" : "ordered"}-${end?.[0] ?? "first"}-${ask.lanes.length}`,
    };
  }
}

/** Those that the page may need. By best price they follow each other; with another sort all that have an order are mixed. */
function partsOf(
  { side, includeEmpty, sort, end }: CollectiblesAsk,
  optionsOf: (segment: number) => PartOptions,
): readonly string[] {
  const sides: readonly Side[] = side === undefined ? ["listing", "offer"] : [side];
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
      segment: segments.noOrder,
      isAsked: includeEmpty,
      write: (options: PartOptions) => withoutOrder(sides, options),
    },
  ];
  const isMixed = sort.length > 0;
  return all
    .filter(({ segment, isAsked }) => isAsked && (isMixed || segment >= Number(end?.[0] ?? 0)))
    .map(({ segment, write }) => {
      const part = write(optionsOf(segment));
      const shown = isMixed && segment < segments.noOrder ? segments.listing : segment;
      return `
        select ${partColumns.replace("segment", `${shown} as segment`)} from (${part}) as one`;
    });
}
