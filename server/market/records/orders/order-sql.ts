import type { Parameters } from "../../../base/storage/sql.ts";
import { uint256Max } from "../../../base/uint256.ts";
import type { Currency } from "../currencies/currency.ts";
import { type JsonRow, json, jsonOrNull, jsonRow, nested, plainText, utcTime } from "../json-row.ts";
import type { OrderConditions, PriceBand } from "./price-bands.ts";

/** The columns of a stored order, with the field names of the contract. Times are UTC without a zone. */
export interface OwnOrderRow {
  readonly id: number;
  readonly collectionId: number;
  readonly collectibleId: number | null;
  readonly orderId: string;
  readonly marketplace: string;
  readonly source: string;
  readonly side: string;
  readonly status: string;
  readonly isExpired: boolean;
  readonly originName: string;
  readonly slug: string;
  readonly createdBy: string;
  readonly priceAmount: string;
  readonly currencyId: number;
  readonly quantityInitial: string;
  readonly quantityRemaining: string;
  readonly quantityAvailable: string;
  readonly quantityDecimals: number;
  readonly feeBps: number;
  readonly feeBreakdown: readonly Fee[];
  readonly validFrom: string;
  readonly validUntil: string;
  readonly blockNumber: number;
  readonly orderCreatedAt: string | null;
  readonly orderUpdatedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
}

export interface Fee {
  readonly kind: string;
  readonly recipientAddress: string;
  readonly bps: number;
}

export interface OrderRow {
  readonly own: OwnOrderRow;
  readonly chainId: number;
  readonly contractAddress: string;
  /** Null for an offer for any token. */
  readonly tokenId: string | null;
  readonly currency: Pick<Currency, "address" | "decimals">;
}

/** SQL of the block that created or last changed the order. */
export function lastChangeBlock(order: string): string {
  return `greatest(${order}.block_number, ${order}.changed_block)`;
}

export const ownOrderJson: JsonRow<OwnOrderRow> = jsonRow<OwnOrderRow>({
  id: json("o.id"),
  collectionId: json("o.collection_id"),
  collectibleId: jsonOrNull("o.collectible_id"),
  orderId: json("to_json(o.order_id)"),
  isExpired: json("(o.valid_until <= now())::text"),
  originName: json("to_json(o.origin_name)"),
  slug: json("to_json(o.slug)"),
  currencyId: json("o.currency_id"),
  quantityDecimals: json("o.quantity_decimals"),
  feeBps: json("o.fee_bps"),
  feeBreakdown: json("o.fee_breakdown"),
  validFrom: json(utcTime("o.valid_from")),
  validUntil: json(utcTime("o.valid_until")),
  blockNumber: json(lastChangeBlock("o")),
  orderCreatedAt: jsonOrNull(utcTime("o.order_created_at")),
  orderUpdatedAt: jsonOrNull(utcTime("o.order_updated_at")),
  createdAt: json(utcTime("o.created_at")),
  updatedAt: json(utcTime("o.updated_at")),
  deletedAt: jsonOrNull(utcTime("o.deleted_at")),
  marketplace: plainText("o.marketplace"),
  source: plainText("o.source"),
  side: plainText("o.side"),
  status: plainText("o.status"),
  createdBy: plainText("o.created_by"),
  priceAmount: plainText("o.price_amount"),
  quantityInitial: plainText("o.quantity_initial"),
  quantityRemaining: plainText("o.quantity_remaining"),
  quantityAvailable: plainText("o.quantity_available"),
});

/** Columns of `market_order as o` and of the tables that `orderJoins` joins. */
export const orderJson: JsonRow<OrderRow> = jsonRow<OrderRow>({
  own: nested(ownOrderJson),
  chainId: json("collection.chain_id"),
  contractAddress: plainText("collection.address"),
  tokenId: jsonOrNull("to_json(token.token_id::text)"),
  currency: nested(
    jsonRow<OrderRow["currency"]>({
      decimals: json("currency.decimals"),
      address: plainText("currency.address"),
    }),
  ),
});

const currencyAndToken = `
  join currency on currency.id = o.currency_id
  left join collectible as token on token.id = o.collectible_id`;

export const orderJoins: string = `
  join collection on collection.id = o.collection_id${currencyAndToken}`;

/** The same joins for orders of the one collection in the CTE `here`. */
export const orderJoinsOfCollection: string = `
  cross join here as collection${currencyAndToken}`;

/* SQL fragments of the statements about orders. Table aliases are fixed; values from callers are always bound. */

export type Side = "listing" | "offer";

/**
 * CTE `band (currency_id, tier, unit, low, high)`. Parameters are bound per band rather than as arrays, so that a generic plan knows the
 * number of bands.
 */
export function priceBandCte(bands: readonly PriceBand[], parameters: Parameters): string {
  const rows = bands.map(
    ({ currency, tier, unit, low, high }) => `(
      ${parameters.bind(currency.id, "int")}, ${parameters.bind(tier, "int")}, ${parameters.bind(unit, "numeric")},
      ${parameters.bind(low, "numeric")}, ${parameters.bind(high, "numeric")}
    )`,
  );
  const none = "select null::int, null::int, null::numeric, null::numeric, null::numeric where false";
  return `band (currency_id, tier, unit, low, high) as materialized (
    ${rows.length === 0 ? none : `values ${rows.join(", ")}`}
  )`;
}

/** Most bands of a named statement. Each number of bands is a statement of its own, which every connection keeps prepared. */
export const maxBandsOfNamedStatement = 16;

/** Whether an order is live. The wording must match the predicates of the partial indexes. */
export function isLive(o: string): string {
  return `${o}.status = 'active' and ${o}.deleted_at is null and ${o}.quantity_available > 0
        and ${o}.valid_from <= now() and ${o}.valid_until > now()`;
}

export function isLiveInBand(o: string, band = "band"): string {
  return `${isLive(o)}
        and ${o}.currency_id = ${band}.currency_id and ${o}.price_amount between ${band}.low and ${band}.high`;
}

/** SQL conditions of a filter apart from currencies and prices. Empty if there are none. */
export type OrderFilter = (o: string) => string;

export function orderFilter(
  { marketplaces = [], createdBy = [], notCreatedBy = [] }: OrderConditions,
  parameters: Parameters,
): OrderFilter {
  const parts: string[] = [];
  if (marketplaces.length > 0)
    parts.push(`marketplace = any(${parameters.bind(marketplaces, "market_kind[]")})`);
  if (createdBy.length > 0) parts.push(`created_by = any(${parameters.bind(createdBy, "text[]")})`);
  if (notCreatedBy.length > 0) parts.push(`created_by <> all(${parameters.bind(notCreatedBy, "text[]")})`);
  return (o) => parts.map((part) => ` and ${o}.${part}`).join("");
}

/**
 * The keys that rank orders, smaller is better. Dollars are exact, so orders of one currency tie only if their amounts are equal. Ties go
 * to the older order, then to the smaller order id.
 */
export function rankingKeys(table?: string): string {
  const keys = ["tier", "rank", "made_at", "order_id", "id"];
  return keys.map((key) => (table === undefined ? key : `${table}.${key}`)).join(", ");
}

/** The ranking keys of an order row `o` that is joined with its band. */
export function rankingKeysInBand(side: Side, o: string, band = "band"): string {
  return `${band}.tier, ${priceRankInBand(side, o, band)}, ${o}.made_at, ${o}.order_id, ${o}.id`;
}

/** The price as a ranking key: low listings and high offers are small. */
export function priceRankInBand(side: Side, o: string, band = "band"): string {
  return `${priceRank(side, o)} * ${band}.unit`;
}

/** The ranking key among orders of one currency. */
export function priceRank(side: Side, o: string): string {
  return `${side === "listing" ? "" : "- "}${o}.price_amount`;
}

/**
 * Limits a query to the first `limit` orders of a band in index order, and all orders that tie with the last one. The caller compares ties
 * by all keys. No sort is needed, because the index has this order.
 */
export function firstByIndex(side: Side, o: string, limit: string): string {
  return `order by ${indexOrder(side, o)} fetch first (${limit}) rows with ties`;
}

export function indexOrder(side: Side, o: string): string {
  return `${o}.price_amount ${side === "listing" ? "asc" : "desc"}, ${o}.made_at`;
}

/** Selects the ranking keys of the best order `o` that meets `scope`: the best of each band by index, then the best of these. */
export function bestOrder(side: Side, scope: string, filter: OrderFilter): string {
  return firstOfBands(side, side, `${scope} and o.side = '${side}' and ${isLiveInBand("o")}${filter("o")}`);
}

/**
 * The same of the order with the worst price. It is the oldest one with this price: the index, read backwards, finds the price first.
 */
export function worstOrder(side: Side, scope: string, filter: OrderFilter): string {
  const ranking = side === "listing" ? "offer" : "listing";
  const isMeant = `${scope} and o.side = '${side}' and ${isLiveInBand("o")}${filter("o")}`;
  const worstPrice = `(
          select o.price_amount from market_order as o where ${isMeant} order by o.price_amount ${side === "listing" ? "desc" : "asc"} limit 1
        )`;
  return firstOfBands(side, ranking, `${isMeant} and o.price_amount = ${worstPrice}`);
}

function firstOfBands(side: Side, ranking: Side, isMeant: string): string {
  return `
      select best.* from band cross join lateral (
        select band.tier, ${priceRankInBand(ranking, "o")} as rank, o.made_at, o.order_id, o.id
        from market_order as o
        where ${isMeant}
        ${firstByIndex(side, "o", "1")}
      ) as best
      order by ${rankingKeys()}
      limit 1`;
}

/**
 * Whether no order `o` that meets `scope` beats `candidate`, which is in `band`. Cheaper than finding the best order: a price bound limits
 * the rows read from each other band; then all keys are compared.
 */
export function isBestOrder(side: Side, scope: string, filter: OrderFilter): string {
  const priceInOtherBand = "candidate.price_amount * band.unit / other.unit";
  const [better, bound] =
    side === "listing" ? ["<=", `trunc(${priceInOtherBand}) + 1`] : [">=", `trunc(${priceInOtherBand}) - 1`];
  const [all, none] = side === "listing" ? [uint256Max, -1n] : [0n, uint256Max + 1n];
  return `not exists (
          select from band as other cross join lateral (
            select from market_order as o
            where ${scope} and o.side = '${side}' and ${isLiveInBand("o", "other")}${filter("o")}
              and o.price_amount ${better} case when other.currency_id = band.currency_id then candidate.price_amount
                when other.tier = band.tier then ${bound} when other.tier < band.tier then ${all} else ${none} end
              and (${rankingKeysInBand(side, "o", "other")}) < (${rankingKeysInBand(side, "candidate")})
            limit 1
          ) as better
        )`;
}

export function isForToken(id: string): string {
  return `o.collectible_id = ${id}`;
}

export const isForAnyToken: string = forAnyToken("o");

export function forAnyToken(o: string): string {
  return `${o}.collection_id = (select id from here) and ${o}.collectible_id is null`;
}

/** SQL of the id of a token of the collection in the CTE `here`. */
export function tokenIdSql(tokenId: string, parameters: Parameters): string {
  const token = parameters.bind(tokenId, "numeric");
  return `(select id from collectible where collection_id = (select id from here) and token_id = ${token})`;
}
