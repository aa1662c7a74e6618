/** A model of Sequence orders that reads contract state one call at a time at the newest block: slow, but simple enough to be trusted. */
import { decodeEventLog, parseAbi } from "viem";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { noCurrency } from "./market-world.ts";
import { type Collections, type ModelOrder, moneyOf, mostOf, smaller, unitsOf } from "./model-order.ts";
import type { SequenceContract, Trading } from "./trading.ts";

/** Declarations of the public contracts. */
const events = parseAbi([
  "event RequestCreated(uint256 indexed requestId, address indexed creator, address indexed tokenContract, uint256 tokenId, bool isListing, uint256 quantity, address currency, uint256 pricePerToken, uint256 expiry)",
  "event RequestAccepted(uint256 indexed requestId, address indexed buyer, address indexed tokenContract, address recipient, uint256 quantity, uint256 quantityRemaining)",
]);

/** Returns all orders for tokens of these two contracts that were created since a block. */
export async function sequenceOrders(
  trading: Trading,
  collections: Collections,
  fromBlock: number,
): Promise<readonly ModelOrder[]> {
  const perMarket = trading.markets.map((market) => ordersOfMarket(trading, market, collections, fromBlock));
  return (await Promise.all(perMarket)).flat();
}

async function ordersOfMarket(
  trading: Trading,
  market: SequenceContract,
  collections: Collections,
  fromBlock: number,
): Promise<readonly ModelOrder[]> {
  const logs = (await trading.world.chain.request("eth_getLogs", {
    fromBlock: `0x${fromBlock.toString(16)}`,
    toBlock: "latest",
    address: market.address,
  })) as readonly { topics: [Hex, ...Hex[]]; data: Hex; blockNumber: Hex }[];
  const told = logs.flatMap(({ topics, data, blockNumber }) => {
    try {
      return [{ ...decodeEventLog({ abi: events, topics, data }), blockNumber }];
    } catch {
      return [];
    }
  });
  const filled = new Set(
    told.flatMap(({ eventName, args }) =>
      eventName === "RequestAccepted" && args.quantityRemaining === 0n ? [args.requestId] : [],
    ),
  );
  const own = [collections.collectible.address, collections.multi.address].map(String);
  return Promise.all(
    told.flatMap(({ eventName, args, blockNumber }) => {
      if (eventName !== "RequestCreated" || !own.includes(args.tokenContract.toLowerCase())) return [];
      const isFilled = filled.has(args.requestId);
      return [orderOf(trading, market, collections, args.requestId, { ...args, isFilled, blockNumber })];
    }),
  );
}

interface Told {
  readonly creator: string;
  readonly tokenContract: string;
  readonly tokenId: bigint;
  readonly isListing: boolean;
  readonly currency: string;
  readonly pricePerToken: bigint;
  readonly expiry: bigint;
  readonly isFilled: boolean;
  readonly blockNumber: Hex;
}

async function orderOf(
  trading: Trading,
  market: SequenceContract,
  collections: Collections,
  requestId: bigint,
  told: Told,
): Promise<ModelOrder> {
  const [maker, collection] = [told.creator.toLowerCase(), told.tokenContract.toLowerCase()];
  const block = (await trading.world.chain.request("eth_getBlockByNumber", told.blockNumber, false)) as {
    readonly timestamp: Hex;
  };
  const [request, invalidBefore, invalidTokenBefore] = (await Promise.all([
    market.read("getRequest", [requestId]),
    market.read("invalidBefore", [maker]),
    market.read("invalidTokenBefore", [maker, collection]),
  ])) as [{ readonly creator: string; readonly quantity: bigint }, bigint, bigint];
  const isGone =
    request.creator === noCurrency || requestId < invalidBefore || requestId < invalidTokenBefore;
  const isExpired = told.expiry <= BigInt(Math.floor(Date.now() / 1_000));
  const terms = { market, maker, collection, requestId, told };
  const [recipient, fee] = (await market.read("getRoyaltyInfo", [collection, told.tokenId, 10_000n])) as [
    string,
    bigint,
  ];
  const available = isGone ? 0n : await availableOf(trading, collections, terms, request.quantity);
  const open = isExpired ? "expired" : available > 0n ? "active" : "inactive";
  return {
    marketplace: market.kind,
    orderId: String(requestId),
    side: told.isListing ? "listing" : "offer",
    collection,
    tokenId: String(told.tokenId),
    maker,
    currency: told.currency.toLowerCase(),
    price: told.pricePerToken,
    status: told.isFilled ? "filled" : isGone ? "cancelled" : open,
    remaining: request.quantity,
    available,
    // With an offer, the buyer pays the royalty on top.
    fees:
      told.isListing && fee > 0n
        ? [{ kind: "royalty", recipient: recipient.toLowerCase(), bps: Number(fee) }]
        : [],
    madeAt: Number(block.timestamp),
  };
}

interface Terms {
  readonly market: SequenceContract;
  readonly maker: string;
  readonly collection: string;
  readonly told: Told;
}

/** The most units that could be accepted now. */
async function availableOf(
  { coin }: Trading,
  collections: Collections,
  { market, maker, collection, told }: Terms,
  remaining: bigint,
): Promise<bigint> {
  const holder = { maker, spender: market.address };
  if (told.isListing) return smaller(remaining, await unitsOf(collections, collection, told.tokenId, holder));
  const money = await moneyOf(coin, holder);
  return mostOf(remaining, async (units) => {
    const cost = units * told.pricePerToken;
    const royalty = ["getRoyaltyInfo", [collection, told.tokenId, cost]] as const;
    const [, due] = (await market.read(...royalty)) as [string, bigint];
    return cost + due <= money;
  });
}
