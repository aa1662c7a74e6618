import type { Currency } from "../currencies/currency.ts";
import { type JsonRow, json, jsonOrNull, jsonRow, nested, plainText, utcTime } from "../json-row.ts";

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
