/** An order as it is stored, by the names of the contract. Times are UTC without a zone. */
export interface OrderRow {
  readonly id: number;
  readonly collectionId: number;
  readonly collectibleId: number | null;
  readonly orderId: string;
  readonly marketplace: string;
  readonly source: string;
  readonly side: string;
  readonly status: string;
  /** Whether its time is up. */
  readonly isOver: boolean;
  readonly chainId: number;
  readonly originName: string;
  readonly slug: string;
  readonly collectionContractAddress: string;
  readonly tokenId: string | null;
  readonly createdBy: string;
  readonly priceAmount: string;
  readonly currencyId: number;
  readonly priceCurrencyAddress: string;
  readonly priceDecimals: number;
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

/** What an order has of its own: the rest is of its collection, its token and its currency. */
export type OwnOrderRow = Omit<OrderRow, SharedName>;

type SharedName =
  | "chainId"
  | "collectionContractAddress"
  | "tokenId"
  | "priceCurrencyAddress"
  | "priceDecimals";

/** Selects an OwnOrderRow from `market_order as o`. */
export const ownOrderColumns = `
  o.id, o.collection_id as "collectionId", o.collectible_id as "collectibleId", o.order_id as "orderId", o.marketplace, o.source, o.side,
  o.status, o.valid_until <= now() as "isOver", o.origin_name as "originName", o.slug, o.created_by as "createdBy",
  o.price_amount::text as "priceAmount", o.currency_id as "currencyId", o.quantity_initial::text as "quantityInitial",
  o.quantity_remaining::text as "quantityRemaining", o.quantity_available::text as "quantityAvailable",
  o.quantity_decimals as "quantityDecimals", o.fee_bps as "feeBps", o.fee_breakdown as "feeBreakdown",
  o.valid_from at time zone 'UTC' as "validFrom", o.valid_until at time zone 'UTC' as "validUntil", o.block_number as "blockNumber",
  o.order_created_at at time zone 'UTC' as "orderCreatedAt", o.order_updated_at at time zone 'UTC' as "orderUpdatedAt",
  o.created_at at time zone 'UTC' as "createdAt", o.updated_at at time zone 'UTC' as "updatedAt", o.deleted_at at time zone 'UTC' as "deletedAt"`;

/** Selects an OrderRow from `market_order as o`, joined by `orderJoins`. */
export const orderColumns: string = `${ownOrderColumns}, collection.chain_id as "chainId",
  collection.address as "collectionContractAddress", token.token_id::text as "tokenId", currency.address as "priceCurrencyAddress",
  currency.decimals as "priceDecimals"`;

const currencyAndToken = `
  join currency on currency.id = o.currency_id
  left join collectible as token on token.id = o.collectible_id`;

export const orderJoins: string = `
  join collection on collection.id = o.collection_id${currencyAndToken}`;

/** The same where all orders are of the collection `here`. */
export const orderJoinsHere: string = `
  cross join here as collection${currencyAndToken}`;
