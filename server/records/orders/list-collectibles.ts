import type { Queries, Statement } from "../../storage/database.ts";
import {
  type AssetRow,
  assetsOf,
  type TokenConditions,
  type TokenRow,
  tokenJson,
  wantedTable,
} from "../collectibles/token-sql.ts";
import { type JsonRow, jsonListOf, jsonOf, orNull, readRows } from "../json-row.ts";
import { Parameters } from "../parameters.ts";
import {
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
import { type OrderRow, type OwnOrderRow, ownOrderJson } from "./order-columns.ts";
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
  const entries = readRows(entryJson, found?.entries);
  const orders = ordersOf(readRows(ownOrderJson, found?.orders), entries, ask);
  const order = (id: number | null): OrderRow | undefined => (id === null ? undefined : orders.get(id));
  const rows = entries.map(({ id, token, listing, offer }) => {
    const assets = found?.assets?.[id];
    return {
      token: assets === undefined ? token : { ...token, assets },
      listing: order(listing),
      offer: order(offer),
    };
  });
  return { rows, more: found?.end != null, end: found?.end ?? undefined };
}

interface Found {
  /** JSON. Null: none. */
  readonly orders: string | null;
  readonly entries: string | null;
  /** By the ids of tokens. */
  readonly assets: Readonly<Record<number, readonly AssetRow[]>> | null;
  /** Null: nothing follows. */
  readonly end: PageEnd | null;
}

interface Entry {
  readonly id: number;
  readonly listing: number | null;
  readonly offer: number | null;
  readonly token: TokenRow;
}

const entryJson: JsonRow<Entry> = {
  literals: ["token.id", orNull("shown.listing_id"), orNull("shown.offer_id"), jsonOf(tokenJson)],
  words: [],
  read: ([id, listing, offer, token]) =>
    ({ id, listing, offer, token: tokenJson.read(token as readonly unknown[]) }) as Entry,
};

/** By their ids. What they share is known, or stands with the tokens. */
function ordersOf(
  rows: readonly OwnOrderRow[],
  entries: readonly Entry[],
  { chainId, contractAddress, lanes }: CollectiblesAsk,
): ReadonlyMap<number, OrderRow> {
  const currencies = new Map(lanes.map(({ currency }) => [currency.id, currency]));
  const tokenIds = new Map(entries.map(({ id, token }) => [id, token.tokenId]));
  return new Map(
    rows.map((own) => {
      const currency = currencies.get(own.currencyId);
      if (currency === undefined) throw new Error(`the order ${own.id} is in no lane`);
      const tokenId = own.collectibleId === null ? null : (tokenIds.get(own.collectibleId) ?? null);
      return [own.id, { own, chainId, contractAddress, tokenId, currency }];
    }),
  );
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
    ), ${ownOffersTable(others, `${size} + 1`)}, ranked as materialized (
      select *, row_number() over (order by ${orderBy(sort)}) as place from (
        select * from (${parts.join("\n    union all")}
        ) as part
        ${after}
        order by ${orderBy(sort)}
        limit ${size} + 1 offset ${skipped}
      ) as page
    ), shown as materialized (
      select ranked.place, ranked.collectible_id, ${knownIn(
        [segments.listing],
        `(select id from (${bestOrder("listing", place("listing", "ranked.collectible_id"), others)}) as one)`,
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
      )} as offer_id
      from ranked left join own_offer using (collectible_id)
      where ranked.place <= ${size}
    )
    select (
      select ${jsonListOf(ownOrderJson)}
      from market_order as o
      where o.id in (select listing_id from shown union select offer_id from shown)
    ) as orders, (
      select ${jsonListOf(entryJson, "order by shown.place")}
      from shown
      join collectible as token on token.id = shown.collectible_id
    ) as entries, (${assetsOf("select collectible_id from shown")}
    ) as assets, (
      select ${pageEndColumn(sort)} from ranked
      where place = ${size} and exists (select from ranked where place > ${size})
    ) as "end"`;
  return [{ text, ...nameOf() }, parameters.values];

  /** A walk has found the best order of its entries already, of one side. */
  function knownIn(segmentsOfSide: readonly number[], searched: string): string {
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
