import { uint256Max } from "../../../base/uint256.ts";
/** What the statements about orders are made of. Table aliases are ours; what callers send is bound. */
import type { Parameters } from "../parameters.ts";
import type { Lane, OrderConditions } from "./competition.ts";

export type Side = "listing" | "offer";

/** `lane (currency_id, tier, unit, low, high)`, for a `with`. Rows of their own, not lists, so that a plan made once knows how many. */
export function laneTable(lanes: readonly Lane[], parameters: Parameters): string {
  const rows = lanes.map(
    ({ currency, tier, unit, low, high }) => `(
      ${parameters.bind(currency.id, "int")}, ${parameters.bind(tier, "int")}, ${parameters.bind(unit, "numeric")},
      ${parameters.bind(low, "numeric")}, ${parameters.bind(high, "numeric")}
    )`,
  );
  const none = "select null::int, null::int, null::numeric, null::numeric, null::numeric where false";
  return `lane (currency_id, tier, unit, low, high) as materialized (
    ${rows.length === 0 ? none : `values ${rows.join(", ")}`}
  )`;
}

/** Most lanes of a statement that has a name: each number of them is a statement of its own, which every connection keeps. */
export const namedLanesMax = 16;

/** `here (id, chain_id, address)`: the collection, if it is known. */
export function hereTable(chainId: number, address: string, parameters: Parameters): string {
  return `here as materialized (
    select id, chain_id, address from collection
    where chain_id = ${parameters.bind(chainId, "bigint")} and address = ${parameters.bind(address, "text")}
  )`;
}

/** Whether an order is live, in the words of the partial indexes. */
export function isLive(o: string): string {
  return `${o}.status = 'active' and ${o}.deleted_at is null and ${o}.quantity_available > 0
        and ${o}.valid_from <= now() and ${o}.valid_until > now()`;
}

/** Whether an order is live and in a lane. */
export function isLiveInLane(o: string, lane = "lane"): string {
  return `${isLive(o)}
        and ${o}.currency_id = ${lane}.currency_id and ${o}.price_amount between ${lane}.low and ${lane}.high`;
}

/** What else a filter asks of an order; the empty text if nothing. */
export type OtherConditions = (o: string) => string;

export function otherConditions(
  { marketplaces = [], createdBy = [], notCreatedBy = [] }: OrderConditions,
  parameters: Parameters,
): OtherConditions {
  const parts: string[] = [];
  if (marketplaces.length > 0)
    parts.push(`marketplace = any(${parameters.bind(marketplaces, "market_kind[]")})`);
  if (createdBy.length > 0) parts.push(`created_by = any(${parameters.bind(createdBy, "text[]")})`);
  if (notCreatedBy.length > 0) parts.push(`created_by <> all(${parameters.bind(notCreatedBy, "text[]")})`);
  return (o) => parts.map((part) => ` and ${o}.${part}`).join("");
}

/**
 * How orders compare: the smaller the better. Dollars are exact, so that two orders of one currency have the same only if their
 * amounts are the same; of the others the older one goes first, and then the smaller order id.
 */
export function competitionKeys(table?: string): string {
  const keys = ["tier", "rank", "made_at", "order_id", "id"];
  return keys.map((key) => (table === undefined ? key : `${table}.${key}`)).join(", ");
}

/** The same of an order that is not yet in a table of such. */
export function keysInLane(side: Side, o: string, lane = "lane"): string {
  return `${lane}.tier, ${rankInLane(side, o, lane)}, ${o}.made_at, ${o}.order_id, ${o}.id`;
}

/** The price as it is compared: cheap listings and dear offers are small. */
export function rankInLane(side: Side, o: string, lane = "lane"): string {
  return `${priceRank(side, o)} * ${lane}.unit`;
}

/** The same among orders of one currency. */
export function priceRank(side: Side, o: string): string {
  return `${side === "listing" ? "" : "- "}${o}.price_amount`;
}

/**
 * The first of the orders of one currency as the index of their side gives them. Those that are equal by it all come, for whoever
 * compares by all keys: the index alone answers this, without a sort that would read everything first.
 */
export function firstByIndex(side: Side, o: string, most: string): string {
  return `order by ${orderOfIndex(side, o)} fetch first (${most}) rows with ties`;
}

export function orderOfIndex(side: Side, o: string): string {
  return `${o}.price_amount ${side === "listing" ? "asc" : "desc"}, ${o}.made_at`;
}

/** Selects the best order of a side among the orders `o` of a place, as `competitionKeys`: of each lane the best by index, then the best of these. */
export function bestOrder(side: Side, place: string, others: OtherConditions): string {
  return `
      select best.* from lane cross join lateral (
        select lane.tier, ${rankInLane(side, "o")} as rank, o.made_at, o.order_id, o.id
        from market_order as o
        where ${place} and o.side = '${side}' and ${isLiveInLane("o")}${others("o")}
        ${firstByIndex(side, "o", "1")}
      ) as best
      order by ${competitionKeys()}
      limit 1`;
}

/**
 * Whether none of the orders `o` of a place goes before the order `candidate`, which is of `lane`. It costs less than to find the best
 * one: each other lane is looked at up to the same worth only, by a bound on its price, and all keys are compared after that.
 */
export function isBestAt(side: Side, place: string, others: OtherConditions): string {
  const worth = "candidate.price_amount * lane.unit / other.unit";
  const [better, bound] = side === "listing" ? ["<=", `trunc(${worth}) + 1`] : [">=", `trunc(${worth}) - 1`];
  const [all, none] = side === "listing" ? [uint256Max, -1n] : [0n, uint256Max + 1n];
  return `not exists (
          select from lane as other cross join lateral (
            select from market_order as o
            where ${place} and o.side = '${side}' and ${isLiveInLane("o", "other")}${others("o")}
              and o.price_amount ${better} case when other.currency_id = lane.currency_id then candidate.price_amount
                when other.tier = lane.tier then ${bound} when other.tier < lane.tier then ${all} else ${none} end
              and (${keysInLane(side, "o", "other")}) < (${keysInLane(side, "candidate")})
            limit 1
          ) as better
        )`;
}

/** The place of offers for one token alone, whose id is the expression. */
export function ofToken(id: string): string {
  return `o.collectible_id = ${id}`;
}

/** The place of offers for any token of `here`. */
export const ofAnyToken = "o.collection_id = (select id from here) and o.collectible_id is null";
