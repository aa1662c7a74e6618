import type { Currency } from "../currencies/currency.ts";
import { type JsonRow, jsonOf, orNull, utcTime } from "../json-row.ts";

/** What an order has of its own, as it is stored, by the names of the contract. Times are UTC without a zone. */
export interface OwnOrderRow {
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

/** An order with what it shares with others. */
export interface OrderRow {
  readonly own: OwnOrderRow;
  readonly chainId: number;
  readonly contractAddress: string;
  /** Null: of any token. */
  readonly tokenId: string | null;
  readonly currency: Pick<Currency, "address" | "decimals">;
}

/** Block in which the order was made or last changed. */
export function lastChangeBlock(order: string): string {
  return `greatest(${order}.block_number, ${order}.changed_block)`;
}

/** Of `market_order as o`. */
export const ownOrderJson: JsonRow<OwnOrderRow> = {
  literals: [
    "o.id",
    "o.collection_id",
    orNull("o.collectible_id"),
    "to_json(o.order_id)",
    "(o.valid_until <= now())::text",
    "to_json(o.origin_name)",
    "to_json(o.slug)",
    "o.currency_id",
    "o.quantity_decimals",
    "o.fee_bps",
    "o.fee_breakdown",
    utcTime("o.valid_from"),
    utcTime("o.valid_until"),
    lastChangeBlock("o"),
    orNull(utcTime("o.order_created_at")),
    orNull(utcTime("o.order_updated_at")),
    utcTime("o.created_at"),
    utcTime("o.updated_at"),
    orNull(utcTime("o.deleted_at")),
  ],
  words: [
    "o.marketplace",
    "o.source",
    "o.side",
    "o.status",
    "o.created_by",
    "o.price_amount",
    "o.quantity_initial",
    "o.quantity_remaining",
    "o.quantity_available",
  ],
  read: ([
    id,
    collectionId,
    collectibleId,
    orderId,
    isOver,
    originName,
    slug,
    currencyId,
    quantityDecimals,
    feeBps,
    feeBreakdown,
    validFrom,
    validUntil,
    blockNumber,
    orderCreatedAt,
    orderUpdatedAt,
    createdAt,
    updatedAt,
    deletedAt,
    marketplace,
    source,
    side,
    status,
    createdBy,
    priceAmount,
    quantityInitial,
    quantityRemaining,
    quantityAvailable,
  ]) =>
    ({
      id,
      collectionId,
      collectibleId,
      orderId,
      isOver,
      originName,
      slug,
      currencyId,
      quantityDecimals,
      feeBps,
      feeBreakdown,
      validFrom,
      validUntil,
      blockNumber,
      orderCreatedAt,
      orderUpdatedAt,
      createdAt,
      updatedAt,
      deletedAt,
      marketplace,
      source,
      side,
      status,
      createdBy,
      priceAmount,
      quantityInitial,
      quantityRemaining,
      quantityAvailable,
    }) as OwnOrderRow,
};

/** Of `market_order as o`, joined by `orderJoins`. */
export const orderJson: JsonRow<OrderRow> = {
  literals: [
    jsonOf(ownOrderJson),
    "collection.chain_id",
    orNull("to_json(token.token_id::text)"),
    "currency.decimals",
  ],
  words: ["collection.address", "currency.address"],
  read: ([own, chainId, tokenId, decimals, contractAddress, address]) =>
    ({
      own: ownOrderJson.read(own as readonly unknown[]),
      chainId,
      contractAddress,
      tokenId,
      currency: { address, decimals },
    }) as OrderRow,
};

const currencyAndToken = `
  join currency on currency.id = o.currency_id
  left join collectible as token on token.id = o.collectible_id`;

export const orderJoins: string = `
  join collection on collection.id = o.collection_id${currencyAndToken}`;

/** The same where all orders are of the collection `here`. */
export const orderJoinsHere: string = `
  cross join here as collection${currencyAndToken}`;
