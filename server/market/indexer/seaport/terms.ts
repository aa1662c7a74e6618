import { uint256Max } from "../../../base/uint256.ts";
/** What a Seaport order means on a market: a listing or an offer for tokens of one collection, in one currency. */
import { type Item, itemTypes, orderTypes, type ReceivedItem, type SeaportOrder } from "./order.ts";

export interface Terms {
  readonly side: "listing" | "offer";
  readonly maker: string;
  readonly collection: string;
  /** Undefined: any of the collection. */
  readonly tokenId: bigint | undefined;
  readonly isMultiToken: boolean;
  readonly quantity: bigint;
  /** Nobody can take less than all of it. */
  readonly isWhole: boolean;
  /** The zero address: the chain's own coin. */
  readonly currency: string;
  /** Of one token, with its fees: what does not come out even is rounded against whoever reads it. */
  readonly pricePerToken: bigint;
  /** All that is paid for all of it. */
  readonly total: bigint;
  readonly fees: readonly Fee[];
  /** Seconds since 1970. */
  readonly validFrom: bigint;
  readonly validUntil: bigint;
  /** Zero: Seaport itself moves what the maker gives. */
  readonly conduitKey: string;
}

export interface Fee {
  readonly recipient: string;
  /** Hundredths of a percent of the price, rounded down. */
  readonly bps: number;
}

/** Why a signed order is none that is kept here. */
export class OrderRefusal extends Error {
  override readonly name = "OrderRefusal";
}

/** Throws OrderRefusal. `zones` are trusted to let everybody fill an order. */
export function termsOf(order: SeaportOrder, zones: readonly string[]): Terms {
  checkForm(order, zones);
  return isNft(order.offer[0]) ? listingOf(order) : offerOf(order);
}

function checkForm(order: SeaportOrder, zones: readonly string[]): void {
  const { offer, consideration, orderType, startTime, endTime, zone } = order;
  if (orderType === orderTypes.contract) refuse("it is made by a contract when it is filled (type CONTRACT)");
  if (orderType > orderTypes.contract) refuse(`there is no order type ${orderType}`);
  const isRestricted = orderType === orderTypes.fullRestricted || orderType === orderTypes.partialRestricted;
  if (isRestricted && !zones.includes(zone))
    refuse(`its zone ${zone} decides who may fill it, and is none of the "zones" of this market`);
  if (offer.length !== 1) refuse(`it offers ${offer.length} items: orders of one are kept`);
  if (consideration.length === 0) refuse("it asks for nothing");
  if (order.totalOriginalConsiderationItems !== BigInt(consideration.length))
    refuse("totalOriginalConsiderationItems is not how many items it asks for");
  if ([...offer, ...consideration].some(({ startAmount, endAmount }) => startAmount !== endAmount))
    refuse("its amounts change with time");
  if (startTime >= endTime) refuse("it ends before it starts");
  const nfts = [...offer, ...consideration].filter(isNft);
  if (nfts.length !== 1) refuse(`it is for ${nfts.length} tokens of collections: orders for one are kept`);
}

function listingOf(order: SeaportOrder): Terms {
  const [nft] = order.offer;
  if (nft === undefined || hasCriteria(nft)) refuse("it sells tokens of the buyer's choice (criteria)");
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
    refuse("it offers no token of ERC-20, ERC-721 or ERC-1155");
  if (hasCriteria(nft) && nft.identifier !== 0n)
    refuse("it buys some tokens of a collection (criteria): offers for one token or for any are kept");
  if (nft.recipient !== order.offerer) refuse("the token goes to somebody else than its maker");
  const fees = order.consideration.filter((item) => item !== nft);
  const total = payment.startAmount;
  if (total === 0n) refuse("it pays nothing");
  if (fees.length > 0) {
    const paid = paymentOf(fees);
    if (paid.token !== payment.token) refuse("its fees are in another currency");
    if (paid.total > total) refuse("its fees are more than it pays");
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
  if (quantity === 0n) refuse("it is for none of its token");
  // Each of several tokens of a choice is taken by a part of its own.
  const mayBeMany = isMultiToken || (hasCriteria(nft) && !isWhole);
  if (quantity > 1n && !mayBeMany) refuse("there is one token of each number of ERC-721");
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

/** Items that are all of one currency. */
function paymentOf(items: readonly Item[]): { readonly token: string; readonly total: bigint } {
  const [first] = items;
  const isMoney = items.every(
    ({ itemType, token }) =>
      itemType === first?.itemType && token === first.token && itemType <= itemTypes.erc20,
  );
  if (first === undefined || !isMoney) refuse("what is paid is not all of one currency");
  const total = items.reduce((sum, { startAmount }) => sum + startAmount, 0n);
  if (total === 0n) refuse("it costs nothing");
  if (total > uint256Max) refuse("it costs more than there can be");
  return { token: first.token, total };
}

/** What goes to others than the one who sells, each recipient once. */
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

function refuse(reason: string): never {
  throw new OrderRefusal(reason);
}
