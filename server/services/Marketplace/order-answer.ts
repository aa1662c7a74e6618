import type { CollectibleOrder, Order, TokenMetadata } from "../../../generated/types.ts";
import type { TokenRow } from "../../records/collectibles/token-sql.ts";
import type { PricedCurrency } from "../../records/currencies/currency.ts";
import { writeDecimal } from "../../records/currencies/decimal.ts";
import type { CollectibleRow } from "../../records/orders/list-collectibles.ts";
import type { OrderRow } from "../../records/orders/order-columns.ts";
import { amountText, dollarsOf, dollarsText, netAmount } from "../../records/orders/price.ts";

/** By the ids of the currencies. */
export type Rates = ReadonlyMap<number, PricedCurrency>;

export function ratesOf(priced: readonly PricedCurrency[]): Rates {
  return new Map(priced.map((currency) => [currency.id, currency]));
}

/** An order as the contract has it: what is stored, and what is worked out of it at the rates of now. */
export function orderAnswer(row: OrderRow, rates: Rates): Order {
  const { isOver, currencyId, collectibleId, tokenId, orderCreatedAt, orderUpdatedAt, deletedAt, ...stored } =
    row;
  const net = netAmount(row.priceAmount, row.feeBps);
  const rate = rates.get(currencyId);
  const dollars = rate === undefined ? undefined : dollarsOf(row.priceAmount, rate);
  const answer = {
    ...stored,
    status: isOver && row.status === "active" ? "expired" : row.status,
    priceAmountFormatted: amountText(row.priceAmount, row.priceDecimals),
    priceAmountNet: net,
    priceAmountNetFormatted: amountText(net, row.priceDecimals),
    priceUSD: dollars === undefined ? 0 : Number(writeDecimal(dollars)),
    priceUSDFormatted: dollars === undefined ? "" : dollarsText(dollars),
    quantityInitialFormatted: amountText(row.quantityInitial, row.quantityDecimals),
    quantityRemainingFormatted: amountText(row.quantityRemaining, row.quantityDecimals),
    quantityAvailableFormatted: amountText(row.quantityAvailable, row.quantityDecimals),
    validFrom: utc(row.validFrom),
    validUntil: utc(row.validUntil),
    createdAt: utc(row.createdAt),
    updatedAt: utc(row.updatedAt),
  } as Order;
  if (collectibleId !== null) answer.collectibleId = collectibleId;
  if (tokenId !== null) answer.tokenId = tokenId;
  if (orderCreatedAt !== null) answer.orderCreatedAt = utc(orderCreatedAt);
  if (orderUpdatedAt !== null) answer.orderUpdatedAt = utc(orderUpdatedAt);
  if (deletedAt !== null) answer.deletedAt = utc(deletedAt);
  return answer;
}

/** The order is the best of the side that was asked for: undefined is any, and a listing goes before an offer. */
export function collectibleAnswer(
  { token, listing, offer }: CollectibleRow,
  side: "listing" | "offer" | undefined,
  rates: Rates,
): CollectibleOrder {
  const best = side === "listing" ? listing : side === "offer" ? offer : (listing ?? offer);
  return {
    metadata: metadataAnswer(token),
    ...(best === undefined ? {} : { order: orderAnswer(best, rates) }),
    ...(listing === undefined ? {} : { listing: orderAnswer(listing, rates) }),
    ...(offer === undefined ? {} : { offer: orderAnswer(offer, rates) }),
  };
}

function metadataAnswer({ origin, updatedAt, assets, ...token }: TokenRow): TokenMetadata {
  const { tokenId } = token;
  return {
    ...withoutNulls(token),
    ...(origin === null ? {} : { source: origin }),
    ...(updatedAt === null ? {} : { updatedAt: utc(updatedAt) }),
    ...(assets === null
      ? {}
      : {
          assets: assets.map(({ updatedAt: readAt, ...asset }) => ({
            ...withoutNulls(asset),
            tokenId,
            ...(readAt === null ? {} : { updatedAt: utc(readAt) }),
          })),
        }),
  } as TokenMetadata;
}

/** `2025-01-31T12:00:00.5` → `2025-01-31T12:00:00.5Z` */
function utc(time: string): string {
  return `${time}Z`;
}

/** Absent values are left out of answers. */
function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
