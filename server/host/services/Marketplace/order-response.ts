import type { CollectibleOrder, Order, TokenMetadata } from "../../../../generated/types.ts";
import type { TokenRow } from "../../../market/records/collectibles/token-sql.ts";
import type { PricedCurrency } from "../../../market/records/currencies/currency.ts";
import { writeDecimal } from "../../../market/records/currencies/decimal.ts";
import type { CollectibleRow } from "../../../market/records/orders/list-collectibles.ts";
import type { OrderRow } from "../../../market/records/orders/order-columns.ts";
import { amountText, dollarsOf, dollarsText, netAmount } from "../../../market/records/orders/price.ts";
import { withoutNulls } from "../../../market/records/without-nulls.ts";

/** By the ids of the currencies. */
export type Rates = ReadonlyMap<number, PricedCurrency>;

export function ratesOf(priced: readonly PricedCurrency[]): Rates {
  return new Map(priced.map((currency) => [currency.id, currency]));
}

/** What becomes `expired` when its time is up, noted or not. */
const endable: ReadonlySet<string> = new Set(["active", "inactive"]);

/**
 * An order as the contract has it: what is stored, and what is worked out of it at the rates of now. Written out field by field: objects
 * of one shape are made and printed several times as fast as copies of rows.
 */
export function orderResponse(
  { own: row, chainId, contractAddress, tokenId, currency }: OrderRow,
  rates: Rates,
): Order {
  const { decimals } = currency;
  const net = netAmount(row.priceAmount, row.feeBps);
  const rate = rates.get(row.currencyId);
  const dollars = rate === undefined ? undefined : dollarsOf(row.priceAmount, rate);
  const answer = {
    id: row.id,
    collectionId: row.collectionId,
    orderId: row.orderId,
    marketplace: row.marketplace,
    source: row.source,
    side: row.side,
    status: row.isOver && endable.has(row.status) ? "expired" : row.status,
    chainId,
    originName: row.originName,
    slug: row.slug,
    collectionContractAddress: contractAddress,
    createdBy: row.createdBy,
    priceAmount: row.priceAmount,
    priceAmountFormatted: amountText(row.priceAmount, decimals),
    priceAmountNet: net,
    priceAmountNetFormatted: amountText(net, decimals),
    priceCurrencyAddress: currency.address,
    priceDecimals: decimals,
    priceUSD: dollars === undefined ? 0 : Number(writeDecimal(dollars)),
    priceUSDFormatted: dollars === undefined ? "" : dollarsText(dollars),
    quantityInitial: row.quantityInitial,
    quantityInitialFormatted: amountText(row.quantityInitial, row.quantityDecimals),
    quantityRemaining: row.quantityRemaining,
    quantityRemainingFormatted: amountText(row.quantityRemaining, row.quantityDecimals),
    quantityAvailable: row.quantityAvailable,
    quantityAvailableFormatted: amountText(row.quantityAvailable, row.quantityDecimals),
    quantityDecimals: row.quantityDecimals,
    feeBps: row.feeBps,
    feeBreakdown: row.feeBreakdown,
    validFrom: utc(row.validFrom),
    validUntil: utc(row.validUntil),
    blockNumber: row.blockNumber,
    createdAt: utc(row.createdAt),
    updatedAt: utc(row.updatedAt),
  } as Order;
  if (row.collectibleId !== null) answer.collectibleId = row.collectibleId;
  if (tokenId !== null) answer.tokenId = tokenId;
  if (row.orderCreatedAt !== null) answer.orderCreatedAt = utc(row.orderCreatedAt);
  if (row.orderUpdatedAt !== null) answer.orderUpdatedAt = utc(row.orderUpdatedAt);
  if (row.deletedAt !== null) answer.deletedAt = utc(row.deletedAt);
  return answer;
}

/** The order is the best of the side that was asked for: undefined is any, and a listing goes before an offer. */
export function collectibleResponses(
  rows: readonly CollectibleRow[],
  side: "listing" | "offer" | undefined,
  rates: Rates,
): CollectibleOrder[] {
  // One offer may be the best of many tokens, and the best order is also a listing or an offer.
  const answers = new Map<OrderRow, Order>();
  function answerOf(row: OrderRow): Order {
    const known = answers.get(row);
    if (known !== undefined) return known;
    const answer = orderResponse(row, rates);
    answers.set(row, answer);
    return answer;
  }
  return rows.map(({ token, listing, offer }) => {
    const best = side === "listing" ? listing : side === "offer" ? offer : (listing ?? offer);
    const answer: CollectibleOrder = { metadata: metadataResponse(token) };
    if (best !== undefined) answer.order = answerOf(best);
    if (listing !== undefined) answer.listing = answerOf(listing);
    if (offer !== undefined) answer.offer = answerOf(offer);
    return answer;
  });
}

/** Written out like an order. */
function metadataResponse(token: TokenRow): TokenMetadata {
  const answer = { tokenId: token.tokenId, name: token.name } as TokenMetadata;
  if (token.description !== null) answer.description = token.description;
  if (token.image !== null) answer.image = token.image;
  if (token.video !== null) answer.video = token.video;
  if (token.audio !== null) answer.audio = token.audio;
  if (token.imageData !== null) answer.imageData = token.imageData;
  if (token.externalUrl !== null) answer.externalUrl = token.externalUrl;
  if (token.backgroundColor !== null) answer.backgroundColor = token.backgroundColor;
  if (token.animationUrl !== null) answer.animationUrl = token.animationUrl;
  if (token.decimals !== null) answer.decimals = token.decimals;
  answer.attributes = [...token.attributes];
  if (token.properties !== null) answer.properties = token.properties;
  answer.status = token.status as TokenMetadata["status"];
  if (token.origin !== null) answer.source = token.origin;
  if (token.updatedAt !== null) answer.updatedAt = utc(token.updatedAt);
  if (token.assets !== null)
    answer.assets = token.assets.map(({ updatedAt, ...asset }) => ({
      ...withoutNulls(asset),
      tokenId: token.tokenId,
      ...(updatedAt === null ? {} : { updatedAt: utc(updatedAt) }),
    }));
  return answer;
}

/** `2025-01-31T12:00:00.5` → `2025-01-31T12:00:00.5Z` */
function utc(time: string): string {
  return `${time}Z`;
}
