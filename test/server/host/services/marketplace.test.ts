import { expect, test } from "vitest";
import type { CollectiblesFilter } from "../../../../generated/types.ts";
import { RequestRejection } from "../../../../server/base/request-rejection.ts";
import {
  checkFilter,
  listKeys,
  offerConditions,
  orderConditions,
  tokenConditions,
} from "../../../../server/host/services/Marketplace/marketplace.ts";
import { readMarketPage, servedPage } from "../../../../server/host/services/market-reads.ts";
import { currencyKey } from "../../../../server/market/etags/market-versions.ts";

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
    '/page/sort/0/column: unknown column "price"; expected priceUSD, createdAt, updatedAt, tokenId, validUntil',
  ],
  [
    {
      sort: [
        { column: "tokenId", order: "ASC" },
        { column: "tokenId", order: "DESC" },
      ],
    },
    '/page/sort/1/column: "tokenId" appears twice',
  ],
])("the page %j is read as %j", (page, expected) => {
  const read = () => readMarketPage(page as never);
  if (typeof expected === "string") expect(read).toThrow(expected);
  else expect(read()).toMatchObject(expected);
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

/** What the caller reads about an invalid filter. */
function causeOf(filter: object): unknown {
  try {
    checkFilter(filter as CollectiblesFilter);
    return undefined;
  } catch (err) {
    if (!(err instanceof RequestRejection)) throw err;
    return err.message;
  }
}

test.each([
  [String(most - 1n), undefined],
  [String(most), undefined],
  [String(most + 1n), "/filter/prices/1/max: must be at most 2^256 - 1"],
])("a highest price of %s has the error %s", (max, fault) => {
  const prices = [
    { contractAddress: usd, min: "0" },
    { contractAddress: usd, max },
  ];
  expect(causeOf({ prices })).toBe(fault);
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
  expect(String(causeOf({ properties })).startsWith("/filter/properties: ")).toBe(areTooMany);
});

test.each<[object | undefined, boolean]>([
  [undefined, false],
  [{}, false],
  [{ inAccounts: [], notInAccounts: [] }, false],
  [{ inAccounts: [usd] }, true],
  [{ notInAccounts: [usd] }, true],
])("whether a list with the filter %j depends on owners: %s", (filter, depends) => {
  const keys = listKeys({
    contractAddress: String(usd),
    filter: filter as CollectiblesFilter | undefined,
  })(137);
  expect(keys[0]).toBe(currencyKey(137));
  expect(keys.some((key) => key.includes("collectible_owner"))).toBe(depends);
});
