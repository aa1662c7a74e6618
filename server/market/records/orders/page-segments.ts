import type { Parameters } from "../../../base/storage/sql.ts";
import { uint256Max } from "../../../base/uint256.ts";
import { firstTokenId, isAfterToken, isShown } from "../collectibles/ids.ts";
import { isWanted } from "../collectibles/token-sql.ts";
import {
  type CollectiblesQuery,
  isAfter,
  type PageCursor,
  sidesOf,
  tokenKeysOf,
} from "./collectibles-query.ts";
import {
  bestOrder,
  firstByIndex,
  indexOrder,
  isBestOrder,
  isForToken,
  isLive,
  isLiveInBand,
  type OrderFilter,
  priceRank,
  priceRankInBand,
  rankingKeys,
  rankingKeysInBand,
  type Side,
} from "./order-sql.ts";
import { hasOrder } from "./token-walk.ts";

export interface PageSegments {
  /** Segments of tokens with an order in a band (see price-bands.ts). By best price, they precede `others`. */
  readonly priced: readonly string[];
  readonly others: readonly string[];
}

/**
 * Returns the SQL of the segments that a page may need. In a list by best price, the segments follow one another. Other sorts mix all
 * tokens with an order.
 */
export function segmentsForPage(
  query: CollectiblesQuery,
  optionsOf: (segment: number) => SegmentOptions,
): PageSegments {
  const { includeEmpty, sort, after, unpricedExclusions } = query;
  const sides = sidesOf(query);
  const listsUnpriced = unpricedExclusions !== undefined;
  const all = [
    {
      segment: segmentNumbers.listing,
      isRequested: sides.includes("listing"),
      write: (options: SegmentOptions) => tokensWithOrder("listing", options),
    },
    {
      segment: segmentNumbers.offer,
      isRequested: sides.includes("offer"),
      write: (options: SegmentOptions) => tokensWithOrder("offer", options),
    },
    {
      segment: segmentNumbers.offerForAny,
      isRequested: sides.includes("offer"),
      write: tokensWithOfferForAny,
    },
    {
      segment: segmentNumbers.unpricedListing,
      isRequested: listsUnpriced && sides.includes("listing"),
      write: (options: SegmentOptions) => tokensWithUnpricedListing(sides, options),
    },
    {
      segment: segmentNumbers.unpricedOffer,
      isRequested: listsUnpriced && sides.includes("offer"),
      write: (options: SegmentOptions) => tokensWithUnpricedOffer(sides, options),
    },
    {
      segment: segmentNumbers.noOrder,
      isRequested: includeEmpty,
      write: (options: SegmentOptions) =>
        tokensWithoutOrder(sides, options, listsUnpriced ? hasNoUnpricedOrder(sides) : []),
    },
  ];
  const isMixed = sort.length > 0;
  const needed = all
    .filter(({ segment, isRequested }) => isRequested && (isMixed || segment >= Number(after?.[0] ?? 0)))
    .map(({ segment, write }) => {
      const shown = isMixed ? mixedSegment(segment) : segment;
      const part = `
        select ${segmentColumns.replace("segment", `${shown} as segment`)} from (${write(optionsOf(segment))}) as one`;
      return { part, isPriced: segment < segmentNumbers.unpricedListing };
    });
  const segmentsThat = (isPriced: boolean): readonly string[] =>
    needed.filter((segment) => segment.isPriced === isPriced).map(({ part }) => part);
  const priced = segmentsThat(true);
  return { priced: priced.length === 0 ? [emptySegment] : priced, others: segmentsThat(false) };
}

/** The number of a segment in a sort that mixes all tokens with an order. */
function mixedSegment(segment: number): number {
  return segment === segmentNumbers.noOrder ? segment : segmentNumbers.listing;
}

/* SQL of the segments of tokens with an order in a band (see price-bands.ts). Each selects `segmentColumns`. */

/** Segments, in the order of a list by best price. */
export const segmentNumbers = {
  listing: 1,
  offer: 2,
  offerForAny: 3,
  unpricedListing: 4,
  unpricedOffer: 5,
  noOrder: 6,
} as const;

/** Bounds the index scan of a list by best price. */
export interface IndexScan {
  /** SQL of the number of entries that a page may need. */
  readonly limit: string;
  /** Skips the entries up to this cursor. */
  readonly after: PageCursor | undefined;
}

export interface SegmentOptions {
  readonly parameters: Parameters;
  readonly filter: OrderFilter;
  /** Whether the CTE `wanted` restricts the tokens. */
  readonly hasTokenFilter: boolean;
  /** Undefined for other sorts, which need all entries. */
  readonly scan: IndexScan | undefined;
  /** Whether the offer segments omit tokens with a live listing. */
  readonly skipListedTokens: boolean;
}

const segmentColumns =
  "segment, collectible_id, token_id, tier, rank, made_at, order_id, id, created_at, updated_at, valid_until";

const emptySegment = `
        select 0 as segment, 0::bigint as collectible_id, 0::numeric as token_id, 0 as tier, 0::numeric as rank, now() as made_at, '' as order_id,
          0::bigint as id, now() as created_at, now() as updated_at, now() as valid_until
        where false`;

/**
 * Tokens whose best order is a listing, or an offer for the token itself that beats every collection offer, which is for any one
 * token of the collection. A scan goes through the
 * orders of each band from the best one on, and skips those that are not the best of their token.
 */
function tokensWithOrder(side: Side, options: SegmentOptions): string {
  const { filter, scan, parameters } = options;
  const orderConditions = [
    ...isLiveInCollection(side, filter),
    ...(scan?.after === undefined ? [] : [isAfterCursor(side, scan.after, parameters)]),
    ...(side === "offer" ? [beatsOffersForAny] : []),
  ];
  /** Conditions on the token, cheapest first: the planner does not know their cost. */
  const tokenConditionsOf = (table: string): readonly string[] => [
    ...(options.hasTokenFilter ? [isWanted(`${table}.collectible_id`)] : []),
    ...(side === "offer" && options.skipListedTokens
      ? [hasNoListing(`${table}.collectible_id`, filter)]
      : []),
  ];
  const keys = rankingKeysOfCandidate(side);
  if (scan === undefined)
    // The price indexes have all columns but the order's id, which only decides between equal orders. Joins the token of each best order.
    return `
    select ${segmentNumbers[side]} as segment, best.*, '' as order_id, token.token_id from (
      select distinct on (collectible_id) * from (
        select *, count(*) over (partition by collectible_id) as ties from (
          select part.*, rank() over (partition by part.collectible_id order by part.tier, part.rank, part.made_at) as place
          from band cross join lateral (
            select candidate.collectible_id, ${priceKeysOfCandidate(side)}, candidate.id, candidate.created_at, candidate.updated_at, candidate.valid_until
            from market_order as candidate
            where ${allOf([...orderConditions, ...shortCircuit(tokenConditionsOf("candidate"))])}
          ) as part
        ) as placed
        where place = 1
      ) as first
      order by collectible_id, case when ties > 1 then (select o.order_id from market_order as o where o.id = first.id) end, id
    ) as best
    join collectible as token on token.id = best.collectible_id`;
  const isBest = isBestOrder(side, ordersOfToken(side, "candidate.collectible_id"), filter);
  const inBands = (columns: string, conditions: readonly string[], limit: string): string => `
    select part.* from band cross join lateral (
      select candidate.collectible_id, ${keys}${columns}
      from market_order as candidate
      where ${allOf([...orderConditions, ...conditions])}
      ${firstByIndex(side, "candidate", limit)}
    ) as part`;
  const fullScan = inBands("", shortCircuit([...tokenConditionsOf("candidate"), isBest]), scan.limit);
  const startsAtFront = scan.after === undefined && !options.hasTokenFilter;
  const found = startsAtFront
    ? frontOrFullScan(
        inBands(
          `, row_number() over (order by ${indexOrder(side, "candidate")}) as place`,
          [],
          `2 * (${scan.limit})`,
        ),
        shortCircuit(tokenConditionsOf("best")),
        fullScan,
        scan.limit,
      )
    : fullScan;
  // A scan does not sort by the last columns, so they are null.
  return `
    select ${segmentNumbers[side]} as segment, collectible_id, 0::numeric as token_id, ${rankingKeys()}, null::timestamptz as created_at,
      null::timestamptz as updated_at, null::timestamptz as valid_until
    from (${found}
    ) as found`;
}

/**
 * Reads the start of a list without comparing each order with the others of its token. It reads the first `2 * limit` orders of each band.
 * Among the bands with further orders, the band whose last read order ranks highest sets a bound. Up to that bound all orders are known, so
 * the first order of each token is its best. If this yields too few tokens, because each has many orders, a full scan follows.
 */
function frontOrFullScan(
  read: string,
  conditions: readonly string[],
  fullScan: string,
  limit: string,
): string {
  return `
    with front as materialized (${read}
    ), bound as materialized (
      select ${boundKeys} from front where place = 2 * (${limit}) order by ${boundKeys} limit 1
    ), best as materialized (
      select distinct on (collectible_id) collectible_id, ${rankingKeys()} from front
      where not exists (
        select from bound where (bound.tier, bound.rank, bound.made_at) < (front.tier, front.rank, front.made_at)
      )
      order by collectible_id, ${rankingKeys()}
    ), start as materialized (
      select * from best ${conditions.length === 0 ? "" : `where ${allOf(conditions)}`}
    ), known as materialized (
      select (select count(*) from start) >= ${limit} or not exists (select from bound) as is_enough
    )
    select * from start where (select is_enough from known)
    union all
    select * from (${fullScan}
    ) as scanned where not (select is_enough from known)`;
}

const boundKeys = "tier, rank, made_at";

function allOf(conditions: readonly string[]): string {
  return conditions.join("\n        and ");
}

/** Live orders for single tokens. The wording must match the predicates of the partial indexes. */
export function isLiveInCollection(side: Side, filter: OrderFilter): readonly string[] {
  return [
    `candidate.collection_id = (select id from here) and candidate.side = '${side}' and candidate.collectible_id is not null`,
    `${isLiveInBand("candidate")}${filter("candidate")}`,
  ];
}

/** The ranking keys of a candidate, as columns with the names of `rankingKeys`. */
function rankingKeysOfCandidate(side: Side): string {
  return `${priceKeysOfCandidate(side)}, candidate.order_id, candidate.id`;
}

/** Those of them that are in the price indexes, except the id. */
function priceKeysOfCandidate(side: Side): string {
  return `band.tier, ${priceRankInBand(side, "candidate")} as rank, candidate.made_at`;
}

/** Joins conditions into one nested `case`, so that each is evaluated only if all before it hold. */
function shortCircuit(conditions: readonly string[]): readonly string[] {
  const [last, ...before] = [...conditions].reverse();
  if (last === undefined) return [];
  return [before.reduce((rest, condition) => `case when ${condition} then ${rest} else false end`, last)];
}

/** Condition on the orders of one token. The wording must match the predicates of the partial indexes. */
export function ordersOfToken(side: Side, token: string): string {
  return side === "listing" ? isForToken(token) : `${isForToken(token)} and o.collectible_id is not null`;
}

/** The price bound positions the index scan; the comparison of all keys is exact. */
export function isAfterCursor(side: Side, cursor: PageCursor, parameters: Parameters): string {
  const { tier, rank, keys } = boundKeysOf(cursor, parameters);
  const bound =
    side === "listing"
      ? `candidate.price_amount >= case when band.tier = ${tier} then trunc(${rank} / band.unit) - 1 else 0 end`
      : `candidate.price_amount <= case when band.tier = ${tier} then trunc(- ${rank} / band.unit) + 1 else ${uint256Max} end`;
  return `band.tier >= ${tier} and ${bound} and (${rankingKeysInBand(side, "candidate")}) > (${keys})`;
}

/** The same for orders of a gap, whose tier is their currency. */
export function isAfterCursorInGap(side: Side, cursor: PageCursor, parameters: Parameters): string {
  const { tier, keys } = boundKeysOf(cursor, parameters);
  return `candidate.currency_id >= ${tier}
            and (candidate.currency_id, ${priceRank(side, "candidate")}, candidate.made_at, candidate.order_id, candidate.id) > (${keys})`;
}

/** The ranking keys of a cursor, bound as parameters. */
function boundKeysOf([, tier, rank, madeAt, orderId, id]: PageCursor, parameters: Parameters) {
  const bound = { tier: parameters.bind(tier, "int"), rank: parameters.bind(rank, "numeric") };
  const keys = `${bound.tier}, ${bound.rank}, ${parameters.bind(madeAt, "timestamptz")}, ${parameters.bind(orderId, "text")}, ${parameters.bind(id, "bigint")}`;
  return { ...bound, keys };
}

/** The price bound ends the index scan; the comparison of all keys is exact. */
const beatsOffersForAny = `candidate.price_amount >= coalesce((
          select case when for_any.tier = band.tier then trunc(- for_any.rank / band.unit) - 1
            when for_any.tier < band.tier then ${uint256Max} else 0 end
          from for_any
        ), 0)
        and not exists (
          select from for_any where (${rankingKeys("for_any")}) < (${rankingKeysInBand("offer", "candidate")})
        )`;

/**
 * CTEs for the tokens whose own offers beat every collection offer: `own_offer (collectible_id, …)` has the best offer of each, and
 * `own_offers (are_known)` reports whether `own_offer` is complete. Such tokens are few wherever collection offers exist, so one query reads
 * their offers together.
 */
export function ownOfferCtes(filter: OrderFilter, limit: string): string {
  return `near_offer as materialized (
      select part.* from band cross join lateral (
        select candidate.collectible_id, ${rankingKeysOfCandidate("offer")}
        from market_order as candidate
        where ${allOf([...isLiveInCollection("offer", filter), beatsOffersForAny])}
        order by ${indexOrder("offer", "candidate")} limit ${limit}
      ) as part
    ), own_offers as materialized (
      select count(*) < ${limit} as are_known from near_offer
    ), own_offer as materialized (
      select distinct on (collectible_id) collectible_id, ${rankingKeys()} from near_offer
      order by collectible_id, ${rankingKeys()}
    )`;
}

function hasNoListing(token: string, filter: OrderFilter): string {
  return `not exists (${bestOrder("listing", ordersOfToken("listing", token), filter)})`;
}

function hasNoOffer(token: string, filter: OrderFilter): string {
  return `not exists (${bestOrder("offer", ordersOfToken("offer", token), filter)})`;
}

/** Whether the token in `token` has a live order with a price. `offset 0` makes Postgres check token by token. */
function hasPricedOrder(side: Side, filter: OrderFilter): string {
  return `exists (
          select from band cross join market_order as o
          where ${ordersOfToken(side, "token.id")} and o.side = '${side}' and ${isLiveInBand("o")}${filter("o")} offset 0
        )`;
}

/** 0 or 1. A count is evaluated once; `exists` would be evaluated for each token. */
const offersForAnyCount = "(select count(*) from for_any)";

function tokensWithOfferForAny(options: SegmentOptions): string {
  const { filter, scan } = options;
  const conditions = [
    `${offersForAnyCount} > 0`,
    ...tokenConditions(options),
    ...(options.skipListedTokens ? [hasNoListing("token.id", filter)] : []),
    `case when (select are_known from own_offers) then token.id not in (select collectible_id from own_offer)
      else not exists (
        select from (${bestOrder("offer", ordersOfToken("offer", "token.id"), filter)}) as own
        where (${rankingKeys("own")}) < (${rankingKeys("for_any")})
      ) end`,
  ];
  return `
    select ${segmentNumbers.offerForAny} as segment, token.id as collectible_id, token.token_id, ${rankingKeys("for_any")}, o.created_at, o.updated_at, o.valid_until
    from for_any
    join market_order as o on o.id = for_any.id
    cross join collectible as token
    where ${conditions.join("\n      and ")}
    ${scan === undefined ? "" : `order by token.collection_id, token.token_id limit ${scan.limit}`}`;
}

function hasNoOrder(sides: readonly Side[], filter: OrderFilter): readonly string[] {
  return [
    ...(sides.includes("listing") ? [hasNoListing("token.id", filter)] : []),
    ...(sides.includes("offer") ? [`${offersForAnyCount} = 0`, hasNoOffer("token.id", filter)] : []),
  ];
}

/** Tokens that have no order of these sides and meet the other conditions. */
function tokensWithoutOrder(
  sides: readonly Side[],
  options: SegmentOptions,
  otherConditions: readonly string[],
): string {
  const { filter, scan } = options;
  const conditions = [...tokenConditions(options), ...otherConditions, ...hasNoOrder(sides, filter)];
  return `
    select ${segmentNumbers.noOrder} as segment, token.id as collectible_id, token.token_id, 0 as tier, 0::numeric as rank,
      '-infinity'::timestamptz as made_at, '' as order_id, 0::bigint as id, '-infinity'::timestamptz as created_at,
      '-infinity'::timestamptz as updated_at, '-infinity'::timestamptz as valid_until
    from collectible as token
    where ${conditions.join("\n      and ")}
    ${scan === undefined ? "" : `order by token.collection_id, token.token_id limit ${scan.limit}`}`;
}

function tokenConditions({ hasTokenFilter, scan, parameters }: SegmentOptions): readonly string[] {
  return [
    ...(scan === undefined
      ? ["token.collection_id = (select id from here)"]
      : [
          isAfterToken(
            scan.after === undefined ? firstTokenId : parameters.bind(scan.after.at(-1), "numeric"),
          ),
        ]),
    isShown("token"),
    ...(hasTokenFilter ? [isWanted("token.id")] : []),
  ];
}

/* SQL of a list by token id, whose first tokens are in the CTE `walk`. */

/** Whether `token` has an order, or would be listed with an offer for any token. `unpriced`: the sides whose unpriced orders count. */
export function isListed(sides: readonly Side[], unpriced: readonly Side[], filter: OrderFilter): string {
  const own = hasOrder([
    ...sides.map((side) => hasPricedOrder(side, filter)),
    ...unpriced.map((side) => `token.id in (select collectible_id from unpriced_${side})`),
  ]);
  const forAny = [
    ...(sides.includes("offer") ? [`${offersForAnyCount} > 0`] : []),
    ...(unpriced.includes("offer") ? [hasUnpricedForAny] : []),
  ];
  return `${isShown("token")} and (${[...forAny, own].join("\n        or ")})`;
}

/** The orders that an entry shows are searched for. */
export const walkSegment: string = `
        select ${segmentNumbers.listing} as segment, id as collectible_id, token_id, 1 as tier, 0::numeric as rank, '-infinity'::timestamptz as made_at,
          '' as order_id, 0::bigint as id, '-infinity'::timestamptz as created_at, '-infinity'::timestamptz as updated_at,
          '-infinity'::timestamptz as valid_until
        from walk where (select is_enough from walked)`;

export function unlessWalked(segment: string): string {
  return `
        select * from (${segment}
        ) as part where not (select is_enough from walked)`;
}

/* SQL of the segments of tokens whose only live orders are in currencies without a rate. By best price, they follow all others. */

/**
 * Most orders that are read per side: the first ones by currency and price. Anyone can create a currency and list any number of tokens in it:
 * without a bound, such orders would slow down every list of their collection.
 */
export const maxUnpricedOrders = 5_000;

export interface UnpricedOptions {
  /** Ids of currencies to skip: those with a rate, and those that the filter excludes. */
  readonly excludedCurrencies: readonly number[];
  readonly sides: readonly Side[];
  readonly filter: OrderFilter;
  readonly parameters: Parameters;
  /** SQL condition. If false, nothing is read. */
  readonly isNeeded: string;
}

/**
 * CTEs `unpriced_listing`, `unpriced_offer` (the best order of each token) and `unpriced_for_any` (at most one row). The order indexes
 * start with the currency, so only the id ranges between the excluded currencies are read.
 */
export function unpricedTables(options: UnpricedOptions): string {
  const { excludedCurrencies, sides, parameters, isNeeded } = options;
  const gap = gapCte(excludedCurrencies, parameters, isNeeded);
  const best = (side: Side): string => `unpriced_${side} as materialized (
      select distinct on (collectible_id) * from (${firstInGaps(side, "is not null", maxUnpricedOrders, options)}
      ) as found
      order by collectible_id, ${rankingKeys()}
    )`;
  const forAny = `unpriced_for_any as materialized (${firstInGaps("offer", "is null", 1, options)}
    )`;
  return [gap, ...sides.map(best), ...(sides.includes("offer") ? [forAny] : [])].join(", ");
}

/** CTE `gap (low, high)`: the ranges of ids between excluded currencies, without their ends. Empty unless `isNeeded`. */
export function gapCte(
  excludedCurrencies: readonly number[],
  parameters: Parameters,
  isNeeded = "true",
): string {
  const ids = parameters.bind([...excludedCurrencies, largestId], "int[]");
  return `gap (low, high) as materialized (
      select lag(id, 1, 0) over (order by id), id from unnest(${ids}) as known (id) where ${isNeeded}
    )`;
}

/** Whether `candidate` is live, and its currency in `gap`. */
export const isLiveInGap: string = `${isLive("candidate")} and candidate.currency_id > gap.low and candidate.currency_id < gap.high`;

/** Limits a query to the first orders of a gap. No sort is needed, except of ties. */
export function firstInGap(side: Side, limit: string | number): string {
  return `order by candidate.currency_id, ${indexOrder(side, "candidate")}, candidate.order_id, candidate.id
          limit ${limit}`;
}

/** Largest value of the type `int`. */
const largestId = 2_147_483_647;

function firstInGaps(
  side: Side,
  token: "is null" | "is not null",
  limit: number,
  { filter }: UnpricedOptions,
): string {
  return `
        select part.* from gap cross join lateral (
          select candidate.collectible_id, candidate.currency_id as tier, ${priceRank(side, "candidate")} as rank, candidate.made_at,
            candidate.order_id, candidate.id, candidate.created_at, candidate.updated_at, candidate.valid_until
          from market_order as candidate
          where candidate.collection_id = (select id from here) and candidate.side = '${side}' and candidate.collectible_id ${token}
            and ${isLiveInGap}${filter("candidate")}
          ${firstInGap(side, limit)}
        ) as part
        order by ${rankingKeys()}
        limit ${limit}`;
}

function tokensWithUnpricedListing(sides: readonly Side[], options: SegmentOptions): string {
  const { filter, hasTokenFilter } = options;
  const conditions = [...hasNoOrder(sides, filter), ...(hasTokenFilter ? [passesTokenFilter] : [])];
  return `
    select * from (
      select ${segmentNumbers.unpricedListing} as segment, token.token_id, best.*
      from unpriced_listing as best join collectible as token on token.id = best.collectible_id
      where ${conditions.join("\n        and ")}
    ) as part
    ${afterCursor(options)}`;
}

/** Tokens with an unpriced offer, for themselves or for any token, and no priced order of these sides. */
function tokensWithUnpricedOffer(sides: readonly Side[], options: SegmentOptions): string {
  const { filter, hasTokenFilter, scan } = options;
  const shared = [
    ...hasNoOrder(sides, filter),
    ...(sides.includes("listing") ? ["token.id not in (select collectible_id from unpriced_listing)"] : []),
  ];
  const after = afterCursor(options);
  const columns = `${rankingKeys("best")}, best.created_at, best.updated_at, best.valid_until`;
  const own = [...shared, ...(hasTokenFilter ? [passesTokenFilter] : [])];
  const forAny = [
    ...tokenConditions({ ...options, scan: scan && { ...scan, after: undefined } }),
    "token.id not in (select collectible_id from unpriced_offer)",
    ...shared,
  ];
  // An offer for any token has the same ranking keys for all tokens, so token ids decide their order.
  return `
    select * from (
      select ${segmentNumbers.unpricedOffer} as segment, token.collection_id, token.id as collectible_id, token.token_id, ${columns}
      from unpriced_offer as own
      join collectible as token on token.id = own.collectible_id
      cross join lateral (${betterOffer("own")}
      ) as best
      where ${own.join("\n        and ")}
    ) as part
    ${after}
    union all
    (select * from (
      select ${segmentNumbers.unpricedOffer} as segment, token.collection_id, token.id as collectible_id, token.token_id, ${columns}
      from unpriced_for_any as best cross join collectible as token
      where ${forAny.join("\n        and ")}
    ) as part
    ${after}
    ${scan === undefined ? "" : `order by collection_id, token_id limit ${scan.limit}`})`;
}

const hasUnpricedForAny = "((select count(*) from unpriced_for_any) > 0)";

function hasNoUnpricedOrder(sides: readonly Side[]): readonly string[] {
  return [
    ...sides.map((side) => `token.id not in (select collectible_id from unpriced_${side})`),
    ...(sides.includes("offer") ? [`not ${hasUnpricedForAny}`] : []),
  ];
}

/** Selects the better of a row of `unpriced_offer` and `unpriced_for_any`, or the only one. */
export function betterOffer(own: string): string {
  return `
        select * from (
          select ${own}.* where ${own}.id is not null
          union all
          select * from unpriced_for_any
        ) as offer
        order by ${rankingKeys()}
        limit 1`;
}

const passesTokenFilter = isWanted("token.id");

function afterCursor({ scan, parameters }: SegmentOptions): string {
  return scan?.after === undefined ? "" : `where ${isAfter(tokenKeysOf([]), scan.after, parameters)}`;
}
