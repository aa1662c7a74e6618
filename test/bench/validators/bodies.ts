/** Realistic bodies of GetOrders: 10 orders with all fields. */

function address(index: number): string {
  return `0x${index.toString(16).padStart(40, "a")}`;
}

export const getOrdersRequest: object = {
  input: Array.from({ length: 10 }, (_, index) => ({
    contractAddress: address(index),
    orderId: String(1_000 + index),
    marketplace: "sequence_marketplace_v2",
  })),
  page: { page: 1, pageSize: 30 },
};

const time = "2025-01-31T12:00:00Z";

export const getOrdersResponse: object = {
  orders: Array.from({ length: 10 }, (_, index) => ({
    id: index,
    collectionId: 5,
    collectibleId: 7,
    orderId: String(1_000 + index),
    marketplace: "sequence_marketplace_v2",
    source: "sequence_marketplace_v2",
    side: "listing",
    status: "active",
    chainId: 137,
    originName: "Sequence",
    slug: "",
    collectionContractAddress: address(index),
    tokenId: "42",
    createdBy: address(index + 3),
    priceAmount: "1000000000000000000",
    priceAmountFormatted: "1.0",
    priceAmountNet: "975000000000000000",
    priceAmountNetFormatted: "0.975",
    priceCurrencyAddress: address(0),
    priceDecimals: 18,
    priceUSD: 12.34,
    priceUSDFormatted: "12.34",
    quantityInitial: "1",
    quantityInitialFormatted: "1",
    quantityRemaining: "1",
    quantityRemainingFormatted: "1",
    quantityAvailable: "1",
    quantityAvailableFormatted: "1",
    quantityDecimals: 0,
    feeBps: 250,
    feeBreakdown: [{ kind: "royalty", recipientAddress: address(9), bps: 250 }],
    validFrom: time,
    validUntil: "2026-01-31T12:00:00Z",
    blockNumber: 12_345_678,
    orderCreatedAt: time,
    orderUpdatedAt: time,
    createdAt: time,
    updatedAt: time,
  })),
  page: { page: 1, pageSize: 30, more: false, sort: [] },
};
