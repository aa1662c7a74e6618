import { expect, test } from "vitest";
import type { CollectiblesFilter } from "../../../../generated/types.ts";
import {
  offerConditions,
  orderConditions,
  pricesOf,
  tokenConditions,
  tooLargeNumber,
  tooManyConditions,
} from "../../../../server/host/services/Marketplace/conditions.ts";
import { listKeys } from "../../../../server/host/services/Marketplace/list-keys.ts";
import { readMarketPage, servedPage } from "../../../../server/host/services/Marketplace/market-page.ts";
import {
  collectibleResponses,
  orderResponse,
  ratesOf,
} from "../../../../server/host/services/Marketplace/order-response.ts";
import type { OrderRow } from "../../../../server/market/records/orders/order-columns.ts";
import { currencyKey } from "../../../../server/market/versions/keys.ts";

const [zero, coin, usd] = [`0x${"0".repeat(40)}`, `0x${"e".repeat(40)}`, `0x${"1".repeat(40)}`];
const most = 2n ** 256n - 1n;

test.each([
  [undefined, { page: 1, pageSize: 30, sort: [] }],
  [
    { page: 0, pageSize: 0 },
    { page: 1, pageSize: 30 },
  ],
  [
    { page: 1, pageSize: 1 },
    { page: 1, pageSize: 1 },
  ],
  [
    { page: 2, pageSize: 99 },
    { page: 2, pageSize: 99 },
  ],
  [{ page: 2, pageSize: 100 }, { pageSize: 100 }],
  [{ page: 2, pageSize: 101 }, { pageSize: 100 }],
  [{ sort: [{ column: "tokenId", order: "DESC" }] }, { sort: [{ column: "tokenId", order: "DESC" }] }],
  [
    { sort: [{ column: "price", order: "ASC" }] },
    'page.sort: unknown column "price"; expected one of priceUSD, createdAt, updatedAt, tokenId, validUntil',
  ],
  [
    {
      sort: [
        { column: "tokenId", order: "ASC" },
        { column: "tokenId", order: "DESC" },
      ],
    },
    'page.sort: "tokenId" is given twice',
  ],
])("the page %j is read as %j", (page, expected) => {
  const found = readMarketPage(page as never);
  if (typeof expected === "string") expect(found).toBe(expected);
  else expect(found).toMatchObject(expected);
});

test("a served page repeats the page and says whether there are more", () => {
  const page = { page: 2, pageSize: 5, sort: [] };
  expect(servedPage(page, true)).toEqual({ ...page, more: true });
});

test("both addresses of the native coin select the same orders", () => {
  const filter = {
    inCurrencyAddresses: [coin, usd],
    notInCurrencyAddresses: [zero, coin],
    prices: [{ contractAddress: coin, min: "1" }],
    marketplaces: ["opensea"],
    ordersCreatedBy: [usd],
    ordersNotCreatedBy: [zero],
  } as unknown as CollectiblesFilter;
  expect(orderConditions(filter)).toEqual({
    marketplaces: ["opensea"],
    createdBy: [usd],
    notCreatedBy: [zero],
    currencies: [zero, usd],
    notCurrencies: [zero, zero],
    prices: [{ contractAddress: zero, min: "1" }],
  });
  const offers = { currencies: [coin], createdBy: [usd], marketplace: ["opensea"] };
  expect(offerConditions(offers as never)).toEqual({
    currencies: [zero],
    createdBy: [usd],
    marketplaces: ["opensea"],
  });
});

test("conditions on tokens are kept apart", () => {
  const filter = {
    searchText: "a",
    inAccounts: [usd],
    notInAccounts: [zero],
  } as unknown as CollectiblesFilter;
  expect(tokenConditions(filter)).toEqual({
    searchText: "a",
    properties: undefined,
    owners: [usd],
    notOwners: [zero],
  });
});

test.each([
  [String(most - 1n), undefined],
  [String(most), undefined],
  [String(most + 1n), "filter.prices[1].max: must be at most 2^256 - 1"],
])("a highest price of %s has the error %s", (max, fault) => {
  const prices = [
    { contractAddress: usd, min: "0" },
    { contractAddress: usd, max },
  ];
  expect(tooLargeNumber(pricesOf({ prices } as unknown as CollectiblesFilter))).toBe(fault);
});

test.each([
  [20, false],
  [21, true],
])("%i names of properties are too many: %s", (count, areTooMany) => {
  const properties = Array.from({ length: count }, (_, index) => ({
    name: `${index}`,
    type: "STRING",
    values: ["a"],
  }));
  const fault = tooManyConditions({ properties } as unknown as CollectiblesFilter);
  expect(fault?.startsWith("/filter/properties: ")).toBe(areTooMany ? true : undefined);
});

test.each<[object | undefined, boolean]>([
  [undefined, false],
  [{}, false],
  [{ inAccounts: [], notInAccounts: [] }, false],
  [{ inAccounts: [usd] }, true],
  [{ notInAccounts: [usd] }, true],
])("whether a list with the filter %j depends on owners: %s", (filter, depends) => {
  const keys = listKeys(137, {
    contractAddress: String(usd),
    filter: filter as CollectiblesFilter | undefined,
  });
  expect(keys[0]).toBe(currencyKey(137));
  expect(keys.some((key) => key.includes("collectible_owner"))).toBe(depends);
});

/** An order of 1.5 dollars without fees. */
function rowOf(own: object = {}, tokenId: string | null = "7"): OrderRow {
  const time = "2026-01-31T12:00:00.5";
  return {
    chainId: 137,
    contractAddress: String(usd),
    tokenId,
    currency: { address: String(usd), decimals: 6 },
    own: {
      id: 1,
      currencyId: 3,
      collectibleId: 9,
      status: "active",
      isExpired: false,
      priceAmount: "1500000",
      feeBps: 0,
      quantityDecimals: 1,
      quantityInitial: "20",
      quantityRemaining: "15",
      quantityAvailable: "5",
      validFrom: time,
      validUntil: time,
      createdAt: time,
      updatedAt: time,
      orderCreatedAt: null,
      orderUpdatedAt: null,
      deletedAt: null,
      ...own,
    },
  } as unknown as OrderRow;
}
const rates = ratesOf([{ id: 3, address: String(usd), decimals: 6, usdRate: "2" }]);

test.each<[object, object]>([
  [
    {},
    {
      status: "active",
      collectibleId: 9,
      tokenId: "7",
      priceUSD: 3,
      priceUSDFormatted: "3",
      priceAmountFormatted: "1.5",
    },
  ],
  [{ isExpired: true }, { status: "expired" }],
  [{ isExpired: true, status: "inactive" }, { status: "expired" }],
  [{ isExpired: true, status: "filled" }, { status: "filled" }],
  [{ isExpired: true, status: "decimals_missing" }, { status: "decimals_missing" }],
  [{ currencyId: 4 }, { priceUSD: 0, priceUSDFormatted: "" }],
  [{ feeBps: 250 }, { priceAmountNet: "1462500", priceAmountNetFormatted: "1.4625" }],
  [
    {},
    { quantityInitialFormatted: "2", quantityRemainingFormatted: "1.5", quantityAvailableFormatted: "0.5" },
  ],
  [
    { orderCreatedAt: "2026-01-01T00:00:00" },
    { orderCreatedAt: "2026-01-01T00:00:00Z", validFrom: "2026-01-31T12:00:00.5Z" },
  ],
])("an order with %j is returned with %j", (own, response) => {
  expect(orderResponse(rowOf(own), rates)).toMatchObject(response);
});

test("an order for any token has neither a token nor times that are unknown", () => {
  const response = orderResponse(rowOf({ collectibleId: null }, null), rates);
  for (const name of ["collectibleId", "tokenId", "orderCreatedAt", "orderUpdatedAt", "deletedAt"])
    expect(response).not.toHaveProperty(name);
});

test.each([
  ["listing", "listing", "offer", 1],
  ["offer", "listing", "offer", 2],
  [undefined, "listing", "offer", 1],
  [undefined, undefined, "offer", 2],
  ["listing", undefined, "offer", undefined],
] as const)("the best order for side %s, of %s and %s", (side, listing, offer, id) => {
  const token = { tokenId: "7", name: "", attributes: [], assets: null, status: "AVAILABLE" };
  const row = {
    token,
    listing: listing && rowOf({ id: 1 }),
    offer: offer && rowOf({ id: 2 }),
  };
  const [found] = collectibleResponses([row as never], side, rates);
  expect(found?.order?.id).toBe(id);
  expect(found?.listing?.id).toBe(listing && 1);
  expect(found?.offer?.id).toBe(2);
});
