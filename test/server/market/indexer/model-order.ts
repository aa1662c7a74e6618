/** An order as a model computes it, for any market. */
import { type Contract, noCurrency } from "./market-world.ts";
import { weiOfMicro } from "./trading.ts";

export interface ModelOrder {
  readonly marketplace: "sequence_marketplace_v1" | "sequence_marketplace_v2" | "opensea";
  readonly orderId: string;
  readonly side: "listing" | "offer";
  readonly collection: string;
  /** Undefined for an offer for any token of the collection. */
  readonly tokenId: string | undefined;
  readonly maker: string;
  readonly currency: string;
  readonly price: bigint;
  readonly status: "active" | "inactive" | "expired" | "cancelled" | "filled";
  readonly remaining: bigint;
  readonly available: bigint;
  /** Deduction from the unit price. */
  readonly fees: readonly ModelFee[];
  readonly madeAt: number;
}

export interface ModelFee {
  readonly kind: "marketplace" | "royalty";
  readonly recipient: string;
  readonly bps: number;
}

export interface Collections {
  readonly collectible: Contract;
  readonly multi: Contract;
}

export interface Holder {
  readonly maker: string;
  /** The contract that would take the tokens. */
  readonly spender: string;
}

/** Units of a token that a maker owns and has approved, at most this many. */
export async function unitsOf(
  { collectible, multi }: Collections,
  collection: string,
  tokenId: bigint,
  { maker, spender }: Holder,
): Promise<bigint> {
  const token = collection === multi.address ? multi : collectible;
  const isForAll = (await token.read("isApprovedForAll", [maker, spender])) as boolean;
  if (token === multi) return isForAll ? ((await multi.read("balanceOf", [maker, tokenId])) as bigint) : 0n;
  const [owner, approved] = (await Promise.all([
    collectible.read("ownerOf", [tokenId]),
    collectible.read("getApproved", [tokenId]),
  ])) as [string, string];
  const isApproved = isForAll || approved.toLowerCase() === spender;
  return owner.toLowerCase() === maker && isApproved ? 1n : 0n;
}

/** Amount of a currency that a maker owns and has approved. */
export async function moneyOf(coin: Contract, { maker, spender }: Holder): Promise<bigint> {
  const [balance, allowance] = (await Promise.all([
    coin.read("balanceOf", [maker]),
    coin.read("allowance", [maker, spender]),
  ])) as [bigint, bigint];
  return smaller(balance, allowance);
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The most units that an amount can pay; the price grows with the quantity. */
export async function mostOf(
  remaining: bigint,
  isEnough: (units: bigint) => Promise<boolean> | boolean,
): Promise<bigint> {
  let [most, tooMany] = [0n, remaining + 1n];
  while (tooMany - most > 1n) {
    const middle = (most + tooMany) / 2n;
    if (await isEnough(middle)) most = middle;
    else tooMany = middle;
  }
  return most;
}

/** In millionths of a dollar. */
function worthOf({ currency, price }: Pick<ModelOrder, "currency" | "price">): bigint {
  return currency === noCurrency ? price / weiOfMicro : price;
}

/** Low listings and high offers first, then older orders, then lower ids as text. */
export function compareOrders(a: ModelOrder, b: ModelOrder): number {
  const sign = a.side === "listing" ? 1n : -1n;
  const worth = sign * (worthOf(a) - worthOf(b));
  if (worth !== 0n) return worth < 0n ? -1 : 1;
  if (a.madeAt !== b.madeAt) return a.madeAt - b.madeAt;
  return a.orderId < b.orderId ? -1 : a.orderId > b.orderId ? 1 : 0;
}
