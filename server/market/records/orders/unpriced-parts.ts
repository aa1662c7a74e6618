/** Tokens whose only live orders are in currencies without a price in USD. They follow all tokens with a priced order. */
import type { Parameters } from "../parameters.ts";
import { hasNoOrder, type PartOptions, segments, tokenConditions } from "./collectible-parts.ts";
import { isAfter } from "./collectible-sort.ts";
import {
  competitionKeys,
  isLive,
  type OtherConditions,
  orderOfIndex,
  priceRank,
  type Side,
} from "./order-sql.ts";

/**
 * Most orders of one side that are read for them, the first by currency and price. Anyone can make a currency and list any number of
 * tokens in it: without a bound, such orders would slow down every list of their collection.
 */
export const unpricedMax = 5_000;

export interface UnpricedOptions {
  /** Ids of currencies whose orders are not read here: those with a price, and those that the filter leaves out. */
  readonly except: readonly number[];
  readonly sides: readonly Side[];
  readonly others: OtherConditions;
  readonly parameters: Parameters;
  /** A condition in SQL. Nothing is read while it is false. */
  readonly isNeeded: string;
}

/**
 * `unpriced_listing`, `unpriced_offer` (the best order of each token) and `unpriced_for_any` (one row or none), for a `with`. The indexes of
 * orders start with the currency, so the stretches between the excepted currencies are read and nothing else.
 */
export function unpricedTables(options: UnpricedOptions): string {
  const { except, sides, parameters, isNeeded } = options;
  const ids = parameters.bind([...except, largestId], "int[]");
  const gap = `gap (low, high) as materialized (
      select lag(id, 1, 0) over (order by id), id from unnest(${ids}) as known (id) where ${isNeeded}
    )`;
  const best = (side: Side): string => `unpriced_${side} as materialized (
      select distinct on (collectible_id) * from (${firstInGaps(side, "is not null", unpricedMax, options)}
      ) as found
      order by collectible_id, ${competitionKeys()}
    )`;
  const forAny = `unpriced_for_any as materialized (${firstInGaps("offer", "is null", 1, options)}
    )`;
  return [gap, ...sides.map(best), ...(sides.includes("offer") ? [forAny] : [])].join(", ");
}

/** Of the type `int`. */
const largestId = 2_147_483_647;

function firstInGaps(
  side: Side,
  token: "is null" | "is not null",
  most: number,
  { others }: UnpricedOptions,
): string {
  return `
        select part.* from gap cross join lateral (
          select candidate.collectible_id, candidate.currency_id as tier, ${priceRank(side, "candidate")} as rank, candidate.made_at,
            candidate.order_id, candidate.id, candidate.created_at, candidate.updated_at, candidate.valid_until
          from market_order as candidate
          where candidate.collection_id = (select id from here) and candidate.side = '${side}' and candidate.collectible_id ${token}
            and ${isLive("candidate")} and candidate.currency_id > gap.low and candidate.currency_id < gap.high${others("candidate")}
          order by candidate.currency_id, ${orderOfIndex(side, "candidate")}, candidate.order_id, candidate.id
          limit ${most}
        ) as part
        order by ${competitionKeys()}
        limit ${most}`;
}

/** Tokens with an unpriced listing, and no priced order of the sides. */
export function withUnpricedListing(sides: readonly Side[], options: PartOptions): string {
  const { others, hasWanted } = options;
  const conditions = [...hasNoOrder(sides, others), ...(hasWanted ? [isWanted] : [])];
  return `
    select * from (
      select ${segments.unpricedListing} as segment, token.token_id, best.*
      from unpriced_listing as best join collectible as token on token.id = best.collectible_id
      where ${conditions.join("\n        and ")}
    ) as part
    ${afterEnd(options)}`;
}

/** Tokens with an unpriced offer, for themselves or for any token, and no priced order of the sides. */
export function withUnpricedOffer(sides: readonly Side[], options: PartOptions): string {
  const { others, hasWanted, walk } = options;
  const shared = [
    ...hasNoOrder(sides, others),
    ...(sides.includes("listing") ? ["token.id not in (select collectible_id from unpriced_listing)"] : []),
  ];
  const after = afterEnd(options);
  const columns = `${competitionKeys("best")}, best.created_at, best.updated_at, best.valid_until`;
  const own = [...shared, ...(hasWanted ? [isWanted] : [])];
  const forAny = [
    ...tokenConditions({ ...options, walk: walk && { ...walk, end: undefined } }),
    "token.id not in (select collectible_id from unpriced_offer)",
    ...shared,
  ];
  // The tokens of an offer for any token have the same keys, and follow in the order of their ids.
  return `
    select * from (
      select ${segments.unpricedOffer} as segment, token.collection_id, token.id as collectible_id, token.token_id, ${columns}
      from unpriced_offer as own
      join collectible as token on token.id = own.collectible_id
      cross join lateral (${betterOffer("own")}
      ) as best
      where ${own.join("\n        and ")}
    ) as part
    ${after}
    union all
    (select * from (
      select ${segments.unpricedOffer} as segment, token.collection_id, token.id as collectible_id, token.token_id, ${columns}
      from unpriced_for_any as best cross join collectible as token
      where ${forAny.join("\n        and ")}
    ) as part
    ${after}
    ${walk === undefined ? "" : `order by collection_id, token_id limit ${walk.most}`})`;
}

/** Conditions that a token has no unpriced order of the sides. */
export function hasNoUnpricedOrder(sides: readonly Side[]): readonly string[] {
  return [
    ...sides.map((side) => `token.id not in (select collectible_id from unpriced_${side})`),
    ...(sides.includes("offer") ? ["(select count(*) from unpriced_for_any) = 0"] : []),
  ];
}

/** Selects the better one of a row of `unpriced_offer` and `unpriced_for_any`, or the one that there is. */
export function betterOffer(own: string): string {
  return `
        select * from (
          select ${own}.* where ${own}.id is not null
          union all
          select * from unpriced_for_any
        ) as offer
        order by ${competitionKeys()}
        limit 1`;
}

const isWanted = "token.id in (select id from wanted)";

function afterEnd({ walk, parameters }: PartOptions): string {
  return walk?.end === undefined ? "" : `where ${isAfter([], walk.end, parameters)}`;
}
