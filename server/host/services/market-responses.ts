import type {
  CollectibleOrder,
  ContractInfo,
  Currency,
  Order,
  TokenMetadata,
} from "../../../generated/types.ts";
import { zeroAddress } from "../../chain/networks/network.ts";
import type * as contracts from "../../market/indexer/currencies/contract-info.ts";
import type { TokenRow } from "../../market/records/collectibles/token-sql.ts";
import {
  type Decimal,
  type PricedCurrency,
  readDecimal,
  round,
  times,
  withPoint,
  writeDecimal,
} from "../../market/records/currencies/currency.ts";
import type { CurrencyRow } from "../../market/records/currencies/currency-list.ts";
import { withoutNulls } from "../../market/records/json-row.ts";
import type { CollectibleRow } from "../../market/records/orders/list-collectibles.ts";
import type { OrderRow } from "../../market/records/orders/order-sql.ts";

export type Rates = ReadonlyMap<number, PricedCurrency>;

export function ratesOf(priced: readonly PricedCurrency[]): Rates {
  return new Map(priced.map((currency) => [currency.id, currency]));
}

/** Statuses that become `expired` when the order's time is up, whether the database has been updated or not. */
const endable: ReadonlySet<string> = new Set(["active", "inactive"]);

/**
 * Returns an order in the form of the contract: stored values, and values computed with the current rates. Copies field by field:
 * objects of the same shape are several times as fast to create and print as copies of rows.
 */
export function orderResponse(
  { own: row, chainId, contractAddress, tokenId, currency }: OrderRow,
  rates: Rates,
): Order {
  const { decimals } = currency;
  const net = netAmount(row.priceAmount, row.feeBps);
  const rate = rates.get(row.currencyId);
  const dollars = rate === undefined ? undefined : dollarsOf(row.priceAmount, rate);
  const response = {
    id: row.id,
    collectionId: row.collectionId,
    orderId: row.orderId,
    marketplace: row.marketplace,
    source: row.source,
    side: row.side,
    status: row.isExpired && endable.has(row.status) ? "expired" : row.status,
    chainId,
    originName: row.originName,
    slug: row.slug,
    collectionContractAddress: contractAddress,
    createdBy: row.createdBy,
    priceAmount: row.priceAmount,
    priceAmountFormatted: withPoint(row.priceAmount, decimals),
    priceAmountNet: net,
    priceAmountNetFormatted: withPoint(net, decimals),
    priceCurrencyAddress: currency.address,
    priceDecimals: decimals,
    priceUSD: dollars === undefined ? 0 : Number(writeDecimal(dollars)),
    priceUSDFormatted: dollars === undefined ? "" : dollarsText(dollars),
    quantityInitial: row.quantityInitial,
    quantityInitialFormatted: withPoint(row.quantityInitial, row.quantityDecimals),
    quantityRemaining: row.quantityRemaining,
    quantityRemainingFormatted: withPoint(row.quantityRemaining, row.quantityDecimals),
    quantityAvailable: row.quantityAvailable,
    quantityAvailableFormatted: withPoint(row.quantityAvailable, row.quantityDecimals),
    quantityDecimals: row.quantityDecimals,
    feeBps: row.feeBps,
    feeBreakdown: row.feeBreakdown,
    validFrom: utc(row.validFrom),
    validUntil: utc(row.validUntil),
    blockNumber: row.blockNumber,
    createdAt: utc(row.createdAt),
    updatedAt: utc(row.updatedAt),
  } as Order;
  if (row.collectibleId !== null) response.collectibleId = row.collectibleId;
  if (tokenId !== null) response.tokenId = tokenId;
  if (row.orderCreatedAt !== null) response.orderCreatedAt = utc(row.orderCreatedAt);
  if (row.orderUpdatedAt !== null) response.orderUpdatedAt = utc(row.orderUpdatedAt);
  if (row.deletedAt !== null) response.deletedAt = utc(row.deletedAt);
  return response;
}

/** `order` is the best order of the requested side. Without a side, a listing comes before an offer. */
export function collectibleResponses(
  rows: readonly CollectibleRow[],
  side: "listing" | "offer" | undefined,
  rates: Rates,
): CollectibleOrder[] {
  // One offer may be the best of many tokens, and the best order is also a listing or an offer.
  const responses = new Map<OrderRow, Order>();
  function responseOf(row: OrderRow): Order {
    const known = responses.get(row);
    if (known !== undefined) return known;
    const response = orderResponse(row, rates);
    responses.set(row, response);
    return response;
  }
  return rows.map(({ token, listing, offer }) => {
    const best = side === "listing" ? listing : side === "offer" ? offer : (listing ?? offer);
    const response: CollectibleOrder = { metadata: metadataResponse(token) };
    if (best !== undefined) response.order = responseOf(best);
    if (listing !== undefined) response.listing = responseOf(listing);
    if (offer !== undefined) response.offer = responseOf(offer);
    return response;
  });
}

export function metadataResponse(token: TokenRow): TokenMetadata {
  const response = { tokenId: token.tokenId, name: token.name } as TokenMetadata;
  if (token.description !== null) response.description = token.description;
  if (token.image !== null) response.image = token.image;
  if (token.video !== null) response.video = token.video;
  if (token.audio !== null) response.audio = token.audio;
  if (token.imageData !== null) response.imageData = token.imageData;
  if (token.externalUrl !== null) response.externalUrl = token.externalUrl;
  if (token.backgroundColor !== null) response.backgroundColor = token.backgroundColor;
  if (token.animationUrl !== null) response.animationUrl = token.animationUrl;
  if (token.decimals !== null) response.decimals = token.decimals;
  response.attributes = [...token.attributes];
  if (token.properties !== null) response.properties = token.properties;
  response.status = token.status;
  if (token.origin !== null) response.source = token.origin;
  if (token.updatedAt !== null) response.updatedAt = utc(token.updatedAt);
  if (token.assets !== null)
    response.assets = token.assets.map(({ updatedAt, ...asset }) => ({
      ...withoutNulls(asset),
      tokenId: token.tokenId,
      ...(updatedAt === null ? {} : { updatedAt: utc(updatedAt) }),
    }));
  if (token.omitted.length > 0) response.omitted = [...token.omitted];
  return response;
}

/** A token that is not known, or not shown. */
export function unknownToken(tokenId: string): TokenMetadata {
  return { tokenId, name: "", attributes: [], status: "NOT_AVAILABLE" };
}

export function contractInfoResponse(
  chainId: number,
  { source, type, symbol, name, ...info }: contracts.ContractInfo,
): ContractInfo {
  return {
    chainId,
    address: info.address,
    source,
    name,
    type,
    symbol,
    ...(info.decimals === undefined ? {} : { decimals: info.decimals }),
    deployed: info.isDeployed,
    extensions: {},
    status: type === "UNKNOWN" && name === "" && symbol === "" ? "NOT_AVAILABLE" : "AVAILABLE",
  };
}

export function currencyResponse(chainId: number, row: CurrencyRow, rates: Rates): Currency {
  return {
    chainId,
    contractAddress: row.address,
    status: row.isKnown ? "active" : "syncing_metadata",
    name: row.name,
    symbol: row.symbol,
    decimals: row.decimals,
    exchangeRate: Number(rates.get(row.id)?.usdRate ?? 0),
    nativeCurrency: row.address === zeroAddress,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** `2025-01-31T12:00:00.5` → `2025-01-31T12:00:00.5Z` */
function utc(time: string): string {
  return `${time}Z`;
}

export function netAmount(amount: string, feeBps: number): string {
  return feeBps === 0 ? amount : String((BigInt(amount) * BigInt(10_000 - feeBps)) / 10_000n);
}

/** Exact dollars of an amount in the smallest unit of a currency. */
export function dollarsOf(amount: string, { usdRate, decimals }: PricedCurrency): Decimal {
  return times(readDecimal(usdRate), { digits: BigInt(amount), scale: decimals });
}

/** `priceUSDFormatted`: rounded to cents; below a dollar to the first four significant digits, so that small prices differ too. */
export function dollarsText(dollars: Decimal): string {
  const { digits, scale } = dollars;
  const zeros = scale - String(digits).length;
  return writeDecimal(round(dollars, zeros < 0 ? 2 : zeros + 4));
}
