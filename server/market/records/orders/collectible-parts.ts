import { uint256Max } from "../../../base/uint256.ts";
/** The parts that a list of tokens with their best orders is made of. Each selects `partColumns`. */
import { isNamed } from "../collectibles/named-tokens.ts";
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
  orderOfIndex,
  rankInLane,
  type Side,
} from "./order-sql.ts";

/** In this order they are listed by best price. */
export const segments = {
  listing: 1,
  offer: 2,
  offerForAny: 3,
  unpricedListing: 4,
  unpricedOffer: 5,
  noOrder: 6,
} as const;

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

/** Selects no row. */
export const noPart = `
        select 0 as segment, 0::bigint as collectible_id, 0::numeric as token_id, 0 as tier, 0::numeric as rank, now() as made_at, '' as order_id,
          0::bigint as id, now() as created_at, now() as updated_at, now() as valid_until
        where false`;

/**
 * Tokens with a listing, or with an offer for themselves that is better than all for any token: the order that is their best. A walk
 * goes through the orders of each lane from the best one on, and leaves out those that are not the best of their token.
 */
export function withOrder(side: Side, options: PartOptions): string {
  const { others, walk, parameters } = options;
  const indexed = [
    ...inCollection(side, others),
    ...(walk?.end === undefined ? [] : [comesAfter(side, walk.end, parameters)]),
    ...(side === "offer" ? [isBetterThanForAny] : []),
  ];
  /** Of the token of a table. The cheapest question first, which the database does not see by itself. */
  const asked = (table: string): readonly string[] => [
    ...(options.hasWanted ? [`${table}.collectible_id in (select id from wanted)`] : []),
    ...(side === "offer" && options.listingsGoFirst ? [hasNoListing(`${table}.collectible_id`, others)] : []),
  ];
  const keys = keysOfCandidate(side);
  if (walk === undefined)
    // The token of each best order is looked up, not that of each order.
    return `
    select ${segments[side]} as segment, best.*, token.token_id from (
      select distinct on (part.collectible_id) part.* from lane cross join lateral (
        select candidate.collectible_id, ${keys}, candidate.created_at, candidate.updated_at, candidate.valid_until
        from market_order as candidate
        where ${allOf([...indexed, ...inTurn(asked("candidate"))])}
      ) as part
      order by part.collectible_id, ${competitionKeys("part")}
    ) as best
    join collectible as token on token.id = best.collectible_id`;
  const isBest = isBestAt(side, place(side, "candidate.collectible_id"), others);
  const inLanes = (columns: string, conditions: readonly string[], most: string): string => `
    select part.* from lane cross join lateral (
      select candidate.collectible_id, ${keys}${columns}
      from market_order as candidate
      where ${allOf([...indexed, ...conditions])}
      ${firstByIndex(side, "candidate", most)}
    ) as part`;
  const walked = inLanes("", inTurn([...asked("candidate"), isBest]), walk.most);
  const isShort = walk.end === undefined && !options.hasWanted;
  const found = isShort
    ? orFront(
        inLanes(
          `, row_number() over (order by ${orderOfIndex(side, "candidate")}) as place`,
          [],
          `2 * (${walk.most})`,
        ),
        inTurn(asked("best")),
        walked,
        walk.most,
      )
    : walked;
  // What no walk is sorted by is not carried along.
  return `
    select ${segments[side]} as segment, collectible_id, 0::numeric as token_id, ${competitionKeys()}, null::timestamptz as created_at,
      null::timestamptz as updated_at, null::timestamptz as valid_until
    from (${found}
    ) as found`;
}

/**
 * At the start of a list no order has to be held against the others of its token: of all orders up to some place in the list, the
 * first one of each token is its best. That place is the nearest end of what was read of a lane, unless that was all. Only if there are
 * too few tokens up to there, because each has many orders, a walk is gone.
 */
function orFront(read: string, conditions: readonly string[], walked: string, most: string): string {
  return `
    with front as materialized (${read}
    ), bound as materialized (
      select ${boundKeys} from front where place = 2 * (${most}) order by ${boundKeys} limit 1
    ), best as materialized (
      select distinct on (collectible_id) collectible_id, ${competitionKeys()} from front
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

const boundKeys = "tier, rank, made_at";

function allOf(conditions: readonly string[]): string {
  return conditions.join("\n        and ");
}

/** Live orders for one token each, in the words of the partial indexes. */
function inCollection(side: Side, others: OtherConditions): readonly string[] {
  return [
    `candidate.collection_id = (select id from here) and candidate.side = '${side}' and candidate.collectible_id is not null`,
    `${isLiveInLane("candidate")}${others("candidate")}`,
  ];
}

/** Named as `competitionKeys` are. */
function keysOfCandidate(side: Side): string {
  return `lane.tier, ${rankInLane(side, "candidate")} as rank, candidate.made_at, candidate.order_id, candidate.id`;
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

/**
 * `own_offer (collectible_id, …)` and `own_offers (are_known)`, for a `with`: the best offer of each token that has one for itself which is
 * better than all for any token. These are few where somebody offers for any token, and are then read together instead of token by token.
 */
export function ownOffersTable(others: OtherConditions, most: string): string {
  return `near_offer as materialized (
      select part.* from lane cross join lateral (
        select candidate.collectible_id, ${keysOfCandidate("offer")}
        from market_order as candidate
        where ${allOf([...inCollection("offer", others), isBetterThanForAny])}
        order by ${orderOfIndex("offer", "candidate")} limit ${most}
      ) as part
    ), own_offers as materialized (
      select count(*) < ${most} as are_known from near_offer
    ), own_offer as materialized (
      select distinct on (collectible_id) collectible_id, ${competitionKeys()} from near_offer
      order by collectible_id, ${competitionKeys()}
    )`;
}

function hasNoListing(token: string, others: OtherConditions): string {
  return `not exists (${bestOrder("listing", place("listing", token), others)})`;
}

function hasNoOffer(token: string, others: OtherConditions): string {
  return `not exists (${bestOrder("offer", place("offer", token), others)})`;
}

/** One or none. As a number it is asked once, before any token is read; whether there is one would be asked of each token. */
const offersForAny = "(select count(*) from for_any)";

/** Tokens whose best offer is the best one for any token. */
export function withOfferForAny(options: PartOptions): string {
  const { others, walk } = options;
  const conditions = [
    `${offersForAny} > 0`,
    ...tokenConditions(options),
    ...(options.listingsGoFirst ? [hasNoListing("token.id", others)] : []),
    `case when (select are_known from own_offers) then token.id not in (select collectible_id from own_offer)
      else not exists (
        select from (${bestOrder("offer", place("offer", "token.id"), others)}) as own
        where (${competitionKeys("own")}) < (${competitionKeys("for_any")})
      ) end`,
  ];
  return `
    select ${segments.offerForAny} as segment, token.id as collectible_id, token.token_id, ${competitionKeys("for_any")}, o.created_at, o.updated_at, o.valid_until
    from for_any
    join market_order as o on o.id = for_any.id
    cross join collectible as token
    where ${conditions.join("\n      and ")}
    ${walk === undefined ? "" : `order by token.collection_id, token.token_id limit ${walk.most}`}`;
}

/** Conditions that a token has no order of the sides in any lane. */
export function hasNoOrder(sides: readonly Side[], others: OtherConditions): readonly string[] {
  return [
    ...(sides.includes("listing") ? [hasNoListing("token.id", others)] : []),
    ...(sides.includes("offer") ? [`${offersForAny} = 0`, hasNoOffer("token.id", others)] : []),
  ];
}

/** Tokens without an order of the sides that are asked for, of those that meet the other conditions. */
export function withoutOrder(
  sides: readonly Side[],
  options: PartOptions,
  otherConditions: readonly string[],
): string {
  const { others, walk } = options;
  const conditions = [...tokenConditions(options), ...otherConditions, ...hasNoOrder(sides, others)];
  return `
    select ${segments.noOrder} as segment, token.id as collectible_id, token.token_id, 0 as tier, 0::numeric as rank,
      '-infinity'::timestamptz as made_at, '' as order_id, 0::bigint as id, '-infinity'::timestamptz as created_at,
      '-infinity'::timestamptz as updated_at, '-infinity'::timestamptz as valid_until
    from collectible as token
    where ${conditions.join("\n      and ")}
    ${walk === undefined ? "" : `order by token.collection_id, token.token_id limit ${walk.most}`}`;
}

export function tokenConditions({ hasWanted, walk, parameters }: PartOptions): readonly string[] {
  return [
    ...(walk === undefined
      ? ["token.collection_id = (select id from here)"]
      : inTokenOrder(walk, parameters)),
    // Made by a block that has left the chain, and nobody else knows of it.
    `(not token.is_undone or token.origin = 'import' or ${isNamed("token.id")})`,
    ...(hasWanted ? ["token.id in (select id from wanted)"] : []),
  ];
}

/**
 * The collection's tokens after the end of a page, as a stretch of their index: it is walked from there on, whereas all tokens of one
 * collection would be read and sorted wherever most collections are small.
 */
function inTokenOrder({ end }: Walk, parameters: Parameters): readonly string[] {
  const start = end === undefined ? "-1" : parameters.bind(end.at(-1), "numeric");
  return [
    `(token.collection_id, token.token_id) > ((select id from here), ${start})`,
    `(token.collection_id, token.token_id) <= ((select id from here), ${uint256Max})`,
  ];
}
