/** The parts that a list of tokens with their best orders is made of. Each selects `partColumns`. */
import type { Parameters } from "../parameters.ts";
import type { PageEnd } from "./collectible-sort.ts";
import {
  bestOrder,
  competitionKeys,
  firstByIndex,
  isBestAt,
  isLiveInLane,
  keysInLane,
  type OtherConditions,
  ofToken,
  rankInLane,
  type Side,
  uint256Max,
} from "./order-sql.ts";

/** In this order they are listed by best price. */
export const segments = { listing: 1, offer: 2, offerForAny: 3, noOrder: 4 } as const;

/** A list by best price takes no more of each part than a page may need, and the walk along an index ends there. */
export interface Walk {
  /** How many entries are enough. */
  readonly most: string;
  /** What is before is left out. */
  readonly end: PageEnd | undefined;
}

export interface PartOptions {
  readonly parameters: Parameters;
  readonly others: OtherConditions;
  /** Whether the table `wanted` restricts the tokens. */
  readonly hasWanted: boolean;
  /** Undefined: another sort needs all of them. */
  readonly walk: Walk | undefined;
  /** Whether tokens with a live listing are left out of the parts of offers. */
  readonly listingsGoFirst: boolean;
}

export const partColumns =
  "segment, collectible_id, token_id, tier, rank, made_at, order_id, id, created_at, updated_at, valid_until";

/**
 * Tokens with a listing, or with an offer for themselves that is better than all for any token: the order that is their best. A walk
 * goes through the orders of each lane from the best one on, and leaves out those that are not the best of their token.
 */
export function withOrder(side: Side, options: PartOptions): string {
  const { others, walk, parameters } = options;
  const indexed = [
    `candidate.collection_id = (select id from here) and candidate.side = '${side}' and candidate.collectible_id is not null`,
    `${isLiveInLane("candidate")}${others("candidate")}`,
    ...(walk?.end === undefined ? [] : [comesAfter(side, walk.end, parameters)]),
    ...(side === "offer" ? [isBetterThanForAny] : []),
  ];
  /** Of the token of a table. The cheapest question first, which the database does not see by itself. */
  const asked = (table: string): readonly string[] => [
    ...(options.hasWanted ? [`${table}.collectible_id in (select id from wanted)`] : []),
    ...(side === "offer" && options.listingsGoFirst ? [hasNoListing(`${table}.collectible_id`, others)] : []),
  ];
  const columns = `${segments[side]} as segment, candidate.collectible_id, ${walk === undefined ? "token.token_id" : "0::numeric as token_id"},
        lane.tier, ${rankInLane(side, "candidate")} as rank, candidate.made_at, candidate.order_id, candidate.id,
        candidate.created_at, candidate.updated_at, candidate.valid_until`;
  if (walk === undefined)
    return `
    select distinct on (part.collectible_id) part.* from lane cross join lateral (
      select ${columns}
      from market_order as candidate
      join collectible as token on token.id = candidate.collectible_id
      where ${allOf([...indexed, ...inTurn(asked("candidate"))])}
    ) as part
    order by part.collectible_id, ${competitionKeys("part")}`;
  const isBest = isBestAt(side, place(side, "candidate.collectible_id"), others);
  const inLanes = (conditions: readonly string[], most: string): string => `
    select lane.currency_id, lane.low, part.* from lane cross join lateral (
      select ${columns}
      from market_order as candidate
      where ${allOf([...indexed, ...conditions])}
      ${firstByIndex(side, "candidate", most)}
    ) as part`;
  const walked = inLanes(inTurn([...asked("candidate"), isBest]), walk.most);
  if (walk.end !== undefined || options.hasWanted) return walked;
  return orFront(inLanes([], `2 * (${walk.most})`), inTurn(asked("best")), walked, walk.most);
}

/**
 * At the start of a list no order has to be held against the others of its token: of all orders up to some place in the list, the
 * first one of each token is its best. That place is the nearest end of what was read of a lane. Only if there are too few tokens up
 * to there, because each has many orders, a walk is gone.
 */
function orFront(read: string, conditions: readonly string[], walked: string, most: string): string {
  return `
    with front as materialized (${read}
    ), bound as materialized (
      select tier, rank, made_at from (
        select distinct on (currency_id, low) tier, rank, made_at, count(*) over (partition by currency_id, low) as orders
        from front
        order by currency_id, low, rank desc, made_at desc
      ) as last_read
      where orders >= 2 * (${most})
      order by tier, rank, made_at
      limit 1
    ), best as materialized (
      select distinct on (collectible_id) * from front
      where not exists (
        select from bound where (bound.tier, bound.rank, bound.made_at) < (front.tier, front.rank, front.made_at)
      )
      order by collectible_id, ${competitionKeys()}
    ), start as materialized (
      select * from best ${conditions.length === 0 ? "" : `where ${allOf(conditions)}`}
    ), known as materialized (
      select (select count(*) from start) >= ${most} or not exists (select from bound) as is_enough
    )
    select * from start where (select is_enough from known)
    union all
    select * from (${walked}
    ) as walked where not (select is_enough from known)`;
}

function allOf(conditions: readonly string[]): string {
  return conditions.join("\n        and ");
}

/** Conditions that are asked one after the other, each only if all before it hold: one, or none. */
function inTurn(conditions: readonly string[]): readonly string[] {
  const [last, ...before] = [...conditions].reverse();
  if (last === undefined) return [];
  return [before.reduce((rest, condition) => `case when ${condition} then ${rest} else false end`, last)];
}

/** Where the offers and listings of one token are, in the words of their partial indexes. */
export function place(side: Side, token: string): string {
  return side === "listing" ? ofToken(token) : `${ofToken(token)} and o.collectible_id is not null`;
}

/** The bound on the price lets the index be entered there; that on all keys is the exact one. */
function comesAfter(side: Side, end: PageEnd, parameters: Parameters): string {
  const [, tier, rank, madeAt, orderId, id] = end;
  const [endTier, endRank] = [parameters.bind(tier, "int"), parameters.bind(rank, "numeric")];
  const keys = `${endTier}, ${endRank}, ${parameters.bind(madeAt, "timestamptz")}, ${parameters.bind(orderId, "text")}, ${parameters.bind(id, "bigint")}`;
  const bound =
    side === "listing"
      ? `candidate.price_amount >= case when lane.tier = ${endTier} then trunc(${endRank} / lane.unit) - 1 else 0 end`
      : `candidate.price_amount <= case when lane.tier = ${endTier} then trunc(- ${endRank} / lane.unit) + 1 else ${uint256Max} end`;
  return `lane.tier >= ${endTier} and ${bound} and (${keysInLane(side, "candidate")}) > (${keys})`;
}

/** Here too the bound on the price ends the walk, and the one on all keys is exact. */
const isBetterThanForAny = `candidate.price_amount >= coalesce((
          select case when for_any.tier = lane.tier then trunc(- for_any.rank / lane.unit) - 1
            when for_any.tier < lane.tier then ${uint256Max} else 0 end
          from for_any
        ), 0)
        and not exists (
          select from for_any where (${competitionKeys("for_any")}) < (${keysInLane("offer", "candidate")})
        )`;

function hasNoListing(token: string, others: OtherConditions): string {
  return `not exists (${bestOrder("listing", place("listing", token), others)})`;
}

function hasNoOffer(token: string, others: OtherConditions): string {
  return `not exists (${bestOrder("offer", place("offer", token), others)})`;
}

/** Tokens whose best offer is the best one for any token. */
export function withOfferForAny(options: PartOptions): string {
  const { others, walk } = options;
  const conditions = [
    ...tokenConditions(options),
    ...(options.listingsGoFirst ? [hasNoListing("token.id", others)] : []),
    `not exists (
        select from (${bestOrder("offer", place("offer", "token.id"), others)}) as own
        where (${competitionKeys("own")}) < (${competitionKeys("for_any")})
      )`,
  ];
  return `
    select ${segments.offerForAny} as segment, token.id as collectible_id, token.token_id, ${competitionKeys("for_any")}, o.created_at, o.updated_at, o.valid_until
    from for_any
    join market_order as o on o.id = for_any.id
    cross join collectible as token
    where ${conditions.join("\n      and ")}
    ${walk === undefined ? "" : `order by token.token_id limit ${walk.most}`}`;
}

/** Tokens without an order of the sides that are asked for. */
export function withoutOrder(sides: readonly Side[], options: PartOptions): string {
  const { others, walk } = options;
  const conditions = [
    ...tokenConditions(options),
    ...(sides.includes("listing") ? [hasNoListing("token.id", others)] : []),
    ...(sides.includes("offer") ? ["not exists (select from for_any)", hasNoOffer("token.id", others)] : []),
  ];
  return `
    select ${segments.noOrder} as segment, token.id as collectible_id, token.token_id, 0 as tier, 0::numeric as rank,
      '-infinity'::timestamptz as made_at, '' as order_id, 0::bigint as id, '-infinity'::timestamptz as created_at,
      '-infinity'::timestamptz as updated_at, '-infinity'::timestamptz as valid_until
    from collectible as token
    where ${conditions.join("\n      and ")}
    ${walk === undefined ? "" : `order by token.token_id limit ${walk.most}`}`;
}

function tokenConditions({ hasWanted, walk, parameters }: PartOptions): readonly string[] {
  return [
    "token.collection_id = (select id from here)",
    // Made by a block that has left the chain.
    "(not token.is_undone or token.origin = 'import')",
    ...(hasWanted ? ["token.id in (select id from wanted)"] : []),
    ...(walk?.end === undefined ? [] : [`token.token_id > ${parameters.bind(walk.end.at(-1), "numeric")}`]),
  ];
}
