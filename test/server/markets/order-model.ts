/** What orders are, read off the state of contracts one by one at the newest block: slow, and plain enough to be believed. */
import { decodeEventLog, parseAbi } from "viem";
import type { Hex } from "../../../server/chains/chain.ts";
import type { Contract } from "./market-world.ts";
import { type MarketKind, noCurrency, type Trading, weiOfMicro } from "./trading.ts";

export interface ModelOrder {
  readonly marketplace: MarketKind;
  readonly orderId: string;
  readonly side: "listing" | "offer";
  readonly collection: string;
  readonly tokenId: string;
  readonly maker: string;
  readonly currency: string;
  readonly price: bigint;
  readonly status: "active" | "inactive" | "expired" | "cancelled" | "filled";
  readonly remaining: bigint;
  readonly available: bigint;
  readonly royalty: { readonly recipient: string; readonly bps: number };
  readonly madeAt: number;
}

/** As the public contracts declare them. */
const events = parseAbi([
  "event RequestCreated(uint256 indexed requestId, address indexed creator, address indexed tokenContract, uint256 tokenId, bool isListing, uint256 quantity, address currency, uint256 pricePerToken, uint256 expiry)",
  "event RequestAccepted(uint256 indexed requestId, address indexed buyer, address indexed tokenContract, address recipient, uint256 quantity, uint256 quantityRemaining)",
]);

export interface Collections {
  readonly collectible: Contract;
  readonly multi: Contract;
}

/** All orders for tokens of these two contracts that were made since a block. */
export async function modelOrders(
  trading: Trading,
  collections: Collections,
  fromBlock: number,
): Promise<readonly ModelOrder[]> {
  const perMarket = trading.markets.map((market) => ordersOfMarket(trading, market, collections, fromBlock));
  return (await Promise.all(perMarket)).flat();
}

type Market = Trading["markets"][number];

async function ordersOfMarket(
  trading: Trading,
  market: Market,
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
  market: Market,
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
    royalty: { recipient: recipient.toLowerCase(), bps: Number(fee) },
    madeAt: Number(block.timestamp),
  };
}

interface Terms {
  readonly market: Market;
  readonly maker: string;
  readonly collection: string;
  readonly told: Told;
}

/** The most units that somebody could accept now. */
async function availableOf(
  { coin }: Trading,
  { collectible, multi }: Collections,
  { market, maker, collection, told }: Terms,
  remaining: bigint,
): Promise<bigint> {
  if (!told.isListing) {
    const [balance, allowance] = (await Promise.all([
      coin.read("balanceOf", [maker]),
      coin.read("allowance", [maker, market.address]),
    ])) as [bigint, bigint];
    const isCovered = async (units: bigint): Promise<boolean> => {
      const cost = units * told.pricePerToken;
      const [, royalty] = (await market.read("getRoyaltyInfo", [collection, told.tokenId, cost])) as [
        string,
        bigint,
      ];
      return cost + royalty <= balance && cost + royalty <= allowance;
    };
    // Dearer the more there are.
    let [most, tooMany] = [0n, remaining + 1n];
    while (tooMany - most > 1n) {
      const middle = (most + tooMany) / 2n;
      if (await isCovered(middle)) most = middle;
      else tooMany = middle;
    }
    return most;
  }
  const token = collection === multi.address ? multi : collectible;
  const isForAll = (await token.read("isApprovedForAll", [maker, market.address])) as boolean;
  if (token === multi) {
    const balance = (await multi.read("balanceOf", [maker, told.tokenId])) as bigint;
    return !isForAll ? 0n : balance < remaining ? balance : remaining;
  }
  const [owner, approved] = (await Promise.all([
    collectible.read("ownerOf", [told.tokenId]),
    collectible.read("getApproved", [told.tokenId]),
  ])) as [string, string];
  const isApproved = isForAll || approved.toLowerCase() === market.address;
  return owner.toLowerCase() === maker && isApproved ? 1n : 0n;
}

/** In millionths of a dollar. */
function worthOf({ currency, price }: Pick<ModelOrder, "currency" | "price">): bigint {
  return currency === noCurrency ? price / weiOfMicro : price;
}

/** Cheap listings and dear offers go first, then older orders, then lower ids as text. */
export function compareOrders(a: ModelOrder, b: ModelOrder): number {
  const sign = a.side === "listing" ? 1n : -1n;
  const worth = sign * (worthOf(a) - worthOf(b));
  if (worth !== 0n) return worth < 0n ? -1 : 1;
  if (a.madeAt !== b.madeAt) return a.madeAt - b.madeAt;
  return a.orderId < b.orderId ? -1 : a.orderId > b.orderId ? 1 : 0;
}
