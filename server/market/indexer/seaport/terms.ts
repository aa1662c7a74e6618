/** Interprets a Seaport order as a listing or an offer for tokens of one collection, in one currency. */
import { uint256Max } from "../../../base/uint256.ts";
import { type Item, itemTypes, orderTypes, type ReceivedItem, type SeaportOrder } from "./order.ts";

export interface Terms {
  readonly side: "listing" | "offer";
  readonly maker: string;
  readonly collection: string;
  /** Undefined for any token of the collection. */
  readonly tokenId: bigint | undefined;
  readonly isMultiToken: boolean;
  readonly quantity: bigint;
  /** Whether the order can only be filled completely. */
  readonly isWhole: boolean;
  /** The zero address is the chain's native coin. */
  readonly currency: string;
  /** Price of one token, fees included. Rounded in favor of the maker: up for a listing, down for an offer. */
  readonly pricePerToken: bigint;
  readonly total: bigint;
  readonly fees: readonly Fee[];
  /** Both in seconds since 1970. */
  readonly validFrom: bigint;
  readonly validUntil: bigint;
  /** Zero if Seaport itself moves the maker's tokens. */
  readonly conduitKey: string;
}

export interface Fee {
  readonly recipient: string;
  /** Basis points of the price, rounded down. */
  readonly bps: number;
}

export class OrderRejection extends Error {
  override readonly name = "OrderRejection";
}

/** Throws OrderRejection. `zones` are the zone contracts that are trusted to let anybody fill an order. */
export function termsOf(order: SeaportOrder, zones: readonly string[]): Terms {
  checkSupported(order, zones);
  return isNft(order.offer[0]) ? listingOf(order) : offerOf(order);
}

function checkSupported(order: SeaportOrder, zones: readonly string[]): void {
  const { offer, consideration, orderType, startTime, endTime, zone } = order;
  if (orderType === orderTypes.contract)
    reject("it is a contract order (type CONTRACT), whose terms are decided when it is filled");
  if (orderType > orderTypes.contract) reject(`unknown order type ${orderType}`);
  const isRestricted = orderType === orderTypes.fullRestricted || orderType === orderTypes.partialRestricted;
  if (isRestricted && !zones.includes(zone))
    reject(`its zone ${zone} restricts who may fill it, and is not among the "zones" of this market`);
  if (offer.length !== 1)
    reject(`it offers ${offer.length} items: only orders that offer one item are supported`);
  if (consideration.length === 0) reject("its consideration is empty");
  if (order.totalOriginalConsiderationItems !== BigInt(consideration.length))
    reject("totalOriginalConsiderationItems is not the number of its consideration items");
  if ([...offer, ...consideration].some(({ startAmount, endAmount }) => startAmount !== endAmount))
    reject("its amounts change with time");
  if (startTime >= endTime) reject("it ends before it starts");
  const nfts = [...offer, ...consideration].filter(isNft);
  if (nfts.length !== 1) reject(`it is for ${nfts.length} NFT items: only orders for one are supported`);
}

function listingOf(order: SeaportOrder): Terms {
  const [nft] = order.offer;
  if (nft === undefined || hasCriteria(nft))
    reject("it sells a token of the buyer's choice (criteria), which is not supported");
  const { token: currency, total } = paymentOf(order.consideration);
  return {
    ...commonOf(order, nft),
    side: "listing",
    currency,
    total,
    pricePerToken: (total + nft.startAmount - 1n) / nft.startAmount,
    fees: feesOf(order.consideration, order.offerer, total),
  };
}

function offerOf(order: SeaportOrder): Terms {
  const [payment] = order.offer;
  const nft = order.consideration.find(isNft);
  if (nft === undefined || payment?.itemType !== itemTypes.erc20)
    reject("it offers no ERC-20, ERC-721 or ERC-1155 token");
  if (hasCriteria(nft) && nft.identifier !== 0n)
    reject(
      "it buys certain tokens of a collection (criteria): only offers for one token or for any are supported",
    );
  if (nft.recipient !== order.offerer) reject("the token goes to an account other than its maker");
  const fees = order.consideration.filter((item) => item !== nft);
  const total = payment.startAmount;
  if (total === 0n) reject("it pays nothing");
  if (fees.length > 0) {
    const paid = paymentOf(fees);
    if (paid.token !== payment.token) reject("its fees are in another currency");
    if (paid.total > total) reject("its fees exceed what it pays");
  }
  return {
    ...commonOf(order, nft),
    side: "offer",
    currency: payment.token,
    total,
    pricePerToken: total / nft.startAmount,
    fees: feesOf(fees, undefined, total),
  };
}

function commonOf(
  order: SeaportOrder,
  nft: Item,
): Omit<Terms, "side" | "currency" | "pricePerToken" | "total" | "fees"> {
  const { offerer, orderType, startTime, endTime, conduitKey } = order;
  const isMultiToken = nft.itemType === itemTypes.erc1155 || nft.itemType === itemTypes.erc1155WithCriteria;
  const isWhole = orderType === orderTypes.fullOpen || orderType === orderTypes.fullRestricted;
  const quantity = nft.startAmount;
  if (quantity === 0n) reject("its quantity is 0");
  // An order for several tokens of the seller's choice can be filled in parts, one token each.
  const mayBeMany = isMultiToken || (hasCriteria(nft) && !isWhole);
  if (quantity > 1n && !mayBeMany) reject("its quantity of an ERC-721 token is more than 1");
  return {
    maker: offerer,
    collection: nft.token,
    tokenId: hasCriteria(nft) ? undefined : nft.identifier,
    isMultiToken,
    quantity,
    isWhole,
    validFrom: startTime,
    validUntil: endTime,
    conduitKey,
  };
}

/** Adds up items of one currency. */
function paymentOf(items: readonly Item[]): { readonly token: string; readonly total: bigint } {
  const [first] = items;
  const isOneCurrency = items.every(
    ({ itemType, token }) =>
      itemType === first?.itemType && token === first.token && itemType <= itemTypes.erc20,
  );
  if (first === undefined || !isOneCurrency) reject("its payments are not all in one currency");
  const total = items.reduce((sum, { startAmount }) => sum + startAmount, 0n);
  if (total === 0n) reject("it costs nothing");
  if (total > uint256Max) reject("its price is more than 2^256 - 1");
  return { token: first.token, total };
}

/** Adds up the amounts of recipients other than the seller. */
function feesOf(items: readonly ReceivedItem[], seller: string | undefined, total: bigint): readonly Fee[] {
  const amounts = new Map<string, bigint>();
  for (const { recipient, startAmount } of items)
    if (recipient !== seller) amounts.set(recipient, (amounts.get(recipient) ?? 0n) + startAmount);
  return [...amounts].map(([recipient, amount]) => ({ recipient, bps: Number((amount * 10_000n) / total) }));
}

function isNft(item: Item | undefined): boolean {
  return item !== undefined && item.itemType >= itemTypes.erc721;
}

function hasCriteria({ itemType }: Item): boolean {
  return itemType >= itemTypes.erc721WithCriteria;
}

function reject(reason: string): never {
  throw new OrderRejection(reason);
}
