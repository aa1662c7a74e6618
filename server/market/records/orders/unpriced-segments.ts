/** SQL of the segments of tokens whose only live orders are in currencies without a rate. They follow all tokens with a priced order. */
import type { Parameters } from "../parameters.ts";
import { isAfter } from "./collectible-sort.ts";
import { indexOrder, isLive, type OrderFilter, priceRank, rankingKeys, type Side } from "./order-sql.ts";
import { hasNoOrder, type SegmentOptions, segmentNumbers, tokenConditions } from "./priced-segments.ts";

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
  const ids = parameters.bind([...excludedCurrencies, largestId], "int[]");
  const gap = `gap (low, high) as materialized (
      select lag(id, 1, 0) over (order by id), id from unnest(${ids}) as known (id) where ${isNeeded}
    )`;
  const best = (side: Side): string => `unpriced_${side} as materialized (
      select distinct on (collectible_id) * from (${firstInGaps(side, "is not null", maxUnpricedOrders, options)}
      ) as found
      order by collectible_id, ${rankingKeys()}
    )`;
  const forAny = `unpriced_for_any as materialized (${firstInGaps("offer", "is null", 1, options)}
    )`;
  return [gap, ...sides.map(best), ...(sides.includes("offer") ? [forAny] : [])].join(", ");
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
            and ${isLive("candidate")} and candidate.currency_id > gap.low and candidate.currency_id < gap.high${filter("candidate")}
          order by candidate.currency_id, ${indexOrder(side, "candidate")}, candidate.order_id, candidate.id
          limit ${limit}
        ) as part
        order by ${rankingKeys()}
        limit ${limit}`;
}

export function tokensWithUnpricedListing(sides: readonly Side[], options: SegmentOptions): string {
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
export function tokensWithUnpricedOffer(sides: readonly Side[], options: SegmentOptions): string {
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

export function hasNoUnpricedOrder(sides: readonly Side[]): readonly string[] {
  return [
    ...sides.map((side) => `token.id not in (select collectible_id from unpriced_${side})`),
    ...(sides.includes("offer") ? ["(select count(*) from unpriced_for_any) = 0"] : []),
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

const passesTokenFilter = "token.id in (select id from wanted)";

function afterCursor({ scan, parameters }: SegmentOptions): string {
  return scan?.after === undefined ? "" : `where ${isAfter([], scan.after, parameters)}`;
}
