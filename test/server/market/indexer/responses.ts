/** Marketplace responses about two collections: of the host, and computed from a model of the orders. */
import type { Order } from "../../../../generated/types.ts";
import { type Collections, compareOrders, type ModelOrder } from "./model-order.ts";
import type { Trading } from "./trading.ts";

/** One line per fact, so that differences are readable. */
export type Responses = readonly string[];

export async function responsesOf(
  { client }: Trading,
  { collectible, multi }: Collections,
  orders: readonly ModelOrder[],
  tokenIds: readonly string[],
): Promise<Responses> {
  const lines: string[] = [];
  const chosen = orders.map(({ marketplace, orderId, collection }) => ({
    contractAddress: collection,
    orderId,
    marketplace,
  }));
  for (let start = 0; start < chosen.length; start += 100) {
    const { orders: found } = await client.getOrders({ input: chosen.slice(start, start + 100) } as never);
    lines.push(...found.map((order) => `order ${orderText(order)}`));
  }
  for (const { address } of [collectible, multi]) {
    const contractAddress = address;
    for (const side of ["listing", "offer"] as const) {
      const { collectibles } = await client.listCollectibles({
        contractAddress,
        side,
        page: { page: 1, pageSize: 100 },
      });
      for (const { metadata, order } of collectibles)
        lines.push(`${side}s ${address} ${metadata.tokenId} ${bestText(order)}`);
    }
    const floor = await client.getFloorOrder({ contractAddress } as never);
    lines.push(`floor ${address} ${bestText(floor.collectible?.order)}`);
    for (const tokenId of tokenIds) {
      const { order } = await client.getHighestPriceOfferForCollectible({
        contractAddress,
        tokenId,
      } as never);
      lines.push(`highest ${address} ${tokenId} ${bestText(order)}`);
      const lowest = await client.getLowestPriceListingForCollectible({ contractAddress, tokenId });
      lines.push(`lowest ${address} ${tokenId} ${bestText(lowest.order)}`);
      const { count } = await client.getCountOfOffersForCollectible({ contractAddress, tokenId });
      lines.push(`${count} offers ${address} ${tokenId}`);
    }
    const page = { pageSize: 100 };
    const { listings } = await client.listListings({ contractAddress, page });
    const { offers } = await client.listOffers({ contractAddress, page });
    lines.push(...[...listings, ...offers].map((order) => `listed ${address} ${bestText(order)}`));
  }
  return lines;
}

export function responsesOfModel(
  { collectible, multi }: Collections,
  orders: readonly ModelOrder[],
  tokenIds: readonly string[],
): Responses {
  const lines = orders.map((order) => `order ${modelText(order)}`);
  for (const { address } of [collectible, multi]) {
    const live = orders.filter(({ status, collection }) => status === "active" && collection === address);
    const bestFor = (side: string, tokenId: string): ModelOrder | undefined =>
      live
        .filter((order) => order.side === side && (order.tokenId ?? tokenId) === tokenId)
        .sort(compareOrders)[0];
    for (const side of ["listing", "offer"] as const) {
      const best = tokenIds.flatMap((tokenId) => {
        const order = bestFor(side, tokenId);
        return order === undefined ? [] : [{ tokenId, order }];
      });
      for (const { tokenId, order } of best.sort((a, b) => compareOrders(a.order, b.order)))
        lines.push(`${side}s ${address} ${tokenId} ${keyText(order)}`);
    }
    const [floor] = live.filter(({ side }) => side === "listing").sort(compareOrders);
    lines.push(`floor ${address} ${floor === undefined ? "none" : keyText(floor)}`);
    for (const tokenId of tokenIds) {
      const best = bestFor("offer", tokenId);
      lines.push(`highest ${address} ${tokenId} ${best === undefined ? "none" : keyText(best)}`);
      const lowest = bestFor("listing", tokenId);
      lines.push(`lowest ${address} ${tokenId} ${lowest === undefined ? "none" : keyText(lowest)}`);
      const offers = live.filter((order) => order.side === "offer" && (order.tokenId ?? tokenId) === tokenId);
      lines.push(`${offers.length} offers ${address} ${tokenId}`);
    }
    for (const side of ["listing", "offer"])
      for (const order of live
        .filter((one) => one.side === side)
        .sort(compareOrders)
        .slice(0, 100))
        lines.push(`listed ${address} ${keyText(order)}`);
  }
  return lines;
}

function bestText(order: Order | null | undefined): string {
  if (order === undefined || order === null) return "none";
  return `${order.priceCurrencyAddress} ${order.priceAmount} ${order.orderId}`;
}

function keyText({ currency, price, orderId }: ModelOrder): string {
  return `${currency} ${price} ${orderId}`;
}

const isOver = (status: string): boolean =>
  status === "filled" || status === "cancelled" || status === "expired";

function orderText(order: Order): string {
  const terms = `${order.createdBy} ${order.side} ${order.collectionContractAddress} ${order.tokenId}`;
  const name = `${order.marketplace} ${order.orderId} ${terms} ${order.priceCurrencyAddress} ${order.priceAmount}`;
  if (isOver(order.status)) return `${name} ${order.status}`;
  const fees = order.feeBreakdown.map(
    ({ kind, recipientAddress, bps }) => `${kind} ${recipientAddress} ${bps}`,
  );
  const quantities = `${order.quantityAvailable} of ${order.quantityRemaining}`;
  return `${name} ${order.status} ${quantities} net ${order.priceAmountNet} ${order.feeBps} ${fees}`;
}

function modelText(order: ModelOrder): string {
  const terms = `${order.maker} ${order.side} ${order.collection} ${order.tokenId}`;
  const name = `${order.marketplace} ${order.orderId} ${terms} ${order.currency} ${order.price}`;
  if (isOver(order.status)) return `${name} ${order.status}`;
  const bps = Math.min(
    10_000,
    order.fees.reduce((sum, fee) => sum + fee.bps, 0),
  );
  const fees = order.fees.map((fee) => `${fee.kind} ${fee.recipient} ${fee.bps}`);
  const net = (order.price * BigInt(10_000 - bps)) / 10_000n;
  return `${name} ${order.status} ${order.available} of ${order.remaining} net ${net} ${bps} ${fees}`;
}
