import { expect, test } from "vitest";
import {
  collectibleResponses,
  orderResponse,
  ratesOf,
} from "../../../../server/host/services/market-responses.ts";
import type { TokenRow } from "../../../../server/market/records/collectibles/token-sql.ts";
import type { OrderRow } from "../../../../server/market/records/orders/order-sql.ts";

const own: OrderRow["own"] = {
  id: 1,
  collectionId: 2,
  collectibleId: null,
  orderId: "7",
  isExpired: false,
  originName: "",
  slug: "",
  currencyId: 3,
  quantityDecimals: 0,
  feeBps: 250,
  feeBreakdown: [],
  validFrom: "2025-01-01T00:00:00",
  validUntil: "2025-02-01T00:00:00",
  blockNumber: 10,
  orderCreatedAt: null,
  orderUpdatedAt: null,
  createdAt: "2025-01-01T00:00:00",
  updatedAt: "2025-01-01T00:00:00.5",
  deletedAt: null,
  marketplace: "sequence_marketplace_v2",
  source: "sequence_marketplace_v2",
  side: "listing",
  status: "active",
  createdBy: `0x${"11".repeat(20)}`,
  priceAmount: "1000001",
  quantityInitial: "3",
  quantityRemaining: "2",
  quantityAvailable: "1",
};
const currency = { address: `0x${"22".repeat(20)}`, decimals: 6 };
const row = (changed: Partial<OrderRow["own"]>): OrderRow => ({
  own: { ...own, ...changed },
  chainId: 1,
  contractAddress: `0x${"33".repeat(20)}`,
  tokenId: null,
  currency,
});

test.each([
  ["unknown", "unknown"],
  ["active", "expired"],
  ["inactive", "expired"],
  ["expired", "expired"],
  ["cancelled", "cancelled"],
  ["filled", "filled"],
  ["decimals_missing", "decimals_missing"],
])("an order with status %s is %s once its time is up", (status, ended) => {
  expect(orderResponse(row({ status }), new Map()).status).toBe(status);
  expect(orderResponse(row({ status, isExpired: true }), new Map()).status).toBe(ended);
});

test.each<[string, Partial<OrderRow["own"]>, string | null, object]>([
  ["none of them", {}, null, {}],
  ["a token", { collectibleId: 5 }, "0", { collectibleId: 5, tokenId: "0" }],
  [
    "times",
    {
      orderCreatedAt: "2025-01-02T00:00:00",
      orderUpdatedAt: "2025-01-03T00:00:00",
      deletedAt: "2025-01-04T00:00:00",
    },
    null,
    {
      orderCreatedAt: "2025-01-02T00:00:00Z",
      orderUpdatedAt: "2025-01-03T00:00:00Z",
      deletedAt: "2025-01-04T00:00:00Z",
    },
  ],
])("optional fields: %s", (_case, changed, tokenId, expected) => {
  const response = orderResponse({ ...row(changed), tokenId }, new Map());
  const optional = ["collectibleId", "tokenId", "orderCreatedAt", "orderUpdatedAt", "deletedAt"] as const;
  expect(
    Object.fromEntries(Object.entries(response).filter(([name]) => optional.some((one) => one === name))),
  ).toEqual(expected);
});

test("amounts are in whole units, net of fees, and in dollars if there is a rate", () => {
  const priced = {
    ...currency,
    id: 3,
    chainId: 1,
    name: "Coin",
    symbol: "COIN",
    imageUrl: null,
    usdRate: "2",
  };
  const rates = ratesOf([priced as never]);
  expect(orderResponse(row({ quantityDecimals: 1 }), rates)).toMatchObject({
    priceAmountFormatted: "1.000001",
    priceAmountNet: "975000",
    priceAmountNetFormatted: "0.975",
    priceDecimals: 6,
    priceUSD: 2.000002,
    quantityInitialFormatted: "0.3",
    quantityRemainingFormatted: "0.2",
    quantityAvailableFormatted: "0.1",
  });
  expect(orderResponse(row({}), new Map())).toMatchObject({ priceUSD: 0, priceUSDFormatted: "" });
  expect(orderResponse(row({ currencyId: 4 }), rates)).toMatchObject({ priceUSD: 0, priceUSDFormatted: "" });
});

const token = {
  tokenId: "0",
  name: "A",
  attributes: [],
  properties: null,
  status: "AVAILABLE",
  assets: null,
  omitted: [],
};
const listing = row({ id: 1 });
const offer = row({ id: 2, side: "offer" });

test.each([
  ["listing", { listing, offer }, 1],
  ["offer", { listing, offer }, 2],
  [undefined, { listing, offer }, 1],
  [undefined, { offer }, 2],
  ["listing", { offer }, undefined],
  ["offer", { listing }, undefined],
] as const)("with side %s, the order of a token", (side, orders, best) => {
  const rows = [{ token: token as unknown as TokenRow, listing: undefined, offer: undefined, ...orders }];
  const [response] = collectibleResponses(rows, side, new Map());
  expect([response?.order?.id, response?.listing?.id, response?.offer?.id]).toEqual([
    best,
    "listing" in orders ? 1 : undefined,
    "offer" in orders ? 2 : undefined,
  ]);
});
