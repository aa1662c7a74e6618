/** The two measured calls: a page of orders, and the smallest request of the API. */

export interface BenchCase {
  readonly path: string;
  /** JSON. */
  readonly body: string;
}

const address = "0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984";
const time = "2026-11-21T06:00:00.000Z";

/** 10 inputs, with an order of 34 fields each: a response of 12 KB. */
export const getOrders: BenchCase = {
  path: "/rpc/Marketplace/GetOrders",
  body: JSON.stringify({
    input: Array.from({ length: 10 }, (_, index) => {
      return { contractAddress: address, orderId: String(index), marketplace: "sequence_marketplace_v2" };
    }),
  }),
};

export const isValid: BenchCase = {
  path: "/rpc/API/IsValid",
  body: JSON.stringify({ chainId: 1, walletAddress: address, message: "0x1234", signature: "0xabcd" }),
};

export const cases: { readonly GetOrders: BenchCase; readonly IsValid: BenchCase } = {
  GetOrders: getOrders,
  IsValid: isValid,
};

const orders = Array.from({ length: 10 }, (_, index) => orderOf(index));

/** The work of every candidate. */
export function answerGetOrders(input: readonly { readonly orderId: string }[]): { orders: BenchOrder[] } {
  return {
    orders: input.map(({ orderId }) => orders[Number(orderId)]).filter((order) => order !== undefined),
  };
}

export function answerIsValid({ signature }: { readonly signature: string }): { isValid: boolean } {
  return { isValid: signature.length > 2 };
}

type Scalar = string | number;

/** An order of 34 fields. */
export type BenchOrder = Readonly<Record<string, Scalar | readonly Readonly<Record<string, Scalar>>[]>>;

function orderOf(index: number): BenchOrder {
  return {
    id: 9_000_000 + index,
    collectionId: 4_211,
    collectibleId: 88_120 + index,
    orderId: String(index),
    marketplace: "sequence_marketplace_v2",
    source: "sequence_marketplace_v2",
    side: "listing",
    status: "active",
    chainId: 137,
    originName: "Sequence",
    slug: "skyweaver",
    collectionContractAddress: address,
    tokenId: String(65_000 + index),
    createdBy: address,
    priceAmount: "1500000000000000000",
    priceAmountFormatted: "1.5",
    priceAmountNet: "1425000000000000000",
    priceAmountNetFormatted: "1.425",
    priceCurrencyAddress: address,
    priceDecimals: 18,
    priceUSD: 3.21,
    priceUSDFormatted: "3.21",
    quantityInitial: "100",
    quantityRemaining: "40",
    quantityAvailable: "40",
    quantityDecimals: 0,
    feeBps: 500,
    feeBreakdown: [{ kind: "royalty", recipientAddress: address, bps: 500 }],
    validFrom: time,
    validUntil: time,
    blockNumber: 61_234_567,
    orderCreatedAt: time,
    createdAt: time,
    updatedAt: time,
  };
}
