import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListCollectiblesRequest } from "../../../../generated/types.ts";
import { maxUnpricedOrders } from "../../../../server/market/records/orders/page-segments.ts";
import { checkBooks } from "./check-order-books.ts";
import { chainId, type Market, openMarket } from "./market.ts";
import { currencies, makers, type OrderBook, type ReferenceOrder, storeBook } from "./order-book.ts";
import { pageChangingBook } from "./page-changing-book.ts";

let market: Market;

beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market[Symbol.asyncDispose]());

const [usd, ether, , junk] = currencies.map(({ address }) => address) as [string, string, string, string];

let collections = 0;

/** Stores an order book in a collection of its own. Undefined fields of the orders get defaults. */
async function store(orders: readonly Partial<ReferenceOrder>[], tokens = 3): Promise<OrderBook> {
  const plain: ReferenceOrder = {
    orderId: "",
    marketplace: "opensea",
    side: "listing",
    tokenId: 0n,
    status: "active",
    createdBy: makers[0] ?? "",
    currency: usd,
    price: 1_000_000n,
    available: 1n,
    validFrom: "2020-01-01T00:00:00Z",
    validUntil: "2100-01-01T00:00:00Z",
    madeAt: "2021-01-01T00:00:00Z",
    updatedAt: "2021-01-01T00:00:00Z",
    isDeleted: false,
  };
  const book: OrderBook = {
    address: `0xbb${(++collections).toString(16).padStart(38, "0")}`,
    tokens: Array.from({ length: tokens }, (_, index) => ({
      tokenId: BigInt(index),
      name: `Token ${index}`,
      attributes: [],
      owners: [],
    })),
    orders: orders.map((order, index) => ({ ...plain, orderId: String(index), ...order })),
  };
  await storeBook(market.database, chainId, book);
  return book;
}

async function listed(
  contractAddress: string,
  more: Partial<ListCollectiblesRequest> = {},
): Promise<readonly string[]> {
  const { collectibles } = await market.client.listCollectibles({
    contractAddress,
    side: "listing",
    ...more,
  });
  return collectibles.map(({ order }) => order?.orderId ?? "none");
}

/** Long form: `MARKET_BOOKS=2000 MARKET_SEED=7 npx vitest run test/server/market/records/market.process.test.ts`. */
const books = Number(process.env["MARKET_BOOKS"] ?? 8);
const seed = Number(process.env["MARKET_SEED"] ?? 1);

test("lists, floors and highest offers equal a plain reference", {
  timeout: 60_000 + books * 5_000,
}, async () => {
  await checkBooks(market, { seed, books });
});

test("paging a changing order book neither skips nor repeats unchanged tokens", async () => {
  await pageChangingBook(market, { seed: 1, walks: 4 });
});

describe("a currency without a rate", () => {
  test("never wins, at any amount, and shows a price of 0 dollars", async () => {
    const { address } = await store([
      { side: "offer", currency: junk, price: 10n ** 30n },
      { side: "offer", currency: usd, price: 1n },
      { side: "listing", currency: junk, price: 1n },
      { side: "listing", currency: usd, price: 10n ** 12n },
    ]);
    const { order } = await market.client.getHighestPriceOfferForCollectible({
      contractAddress: address,
      tokenId: "0",
    });
    expect(order).toMatchObject({ orderId: "1", priceUSD: 0.000001, priceUSDFormatted: "0.000001" });
    const { collectible } = await market.client.getFloorOrder({ contractAddress: address });
    expect(collectible?.order).toMatchObject({
      orderId: "3",
      priceUSD: 1_000_000,
      priceUSDFormatted: "1000000",
    });
    const { orders } = await market.client.getOrders({ input: [{ contractAddress: address, orderId: "0" }] });
    expect(orders).toMatchObject([
      { priceUSD: 0, priceUSDFormatted: "", priceAmountFormatted: "1000000000000" },
    ]);
  });

  test("competes behind all priced currencies if the filter names it", async () => {
    const { address } = await store([
      { side: "listing", currency: junk, price: 1n, tokenId: 0n },
      { side: "listing", currency: usd, price: 10n ** 12n, tokenId: 1n },
    ]);
    expect(await listed(address)).toEqual(["1", "0"]);
    expect(await listed(address, { filter: { inCurrencyAddresses: [junk] } })).toEqual(["0"]);
    expect(await listed(address, { filter: { inCurrencyAddresses: [junk, usd] } })).toEqual(["1", "0"]);
  });
});

describe("a token whose only live orders have no price in USD", () => {
  const directions = ["ASC", "DESC"] as const;
  const last = ["1", "0", "4"];
  const inOrder = ["0", "1", "4"];
  /** The order of three tokens, the second of which has a price. All times are equal. */
  type Sort = { column: string; order?: "ASC" | "DESC" }[];
  const sorts: readonly (readonly [Sort, readonly string[]])[] = [
    [[], last],
    ...directions.map((order): [Sort, readonly string[]] => [[{ column: "priceUSD", order }], last]),
    ...["createdAt", "updatedAt", "validUntil"].flatMap((column) =>
      directions.map((order): [Sort, readonly string[]] => [[{ column, order }], inOrder]),
    ),
    [[{ column: "createdAt" }, { column: "priceUSD" }], last],
    [[{ column: "tokenId", order: "ASC" }], inOrder],
    [[{ column: "tokenId", order: "DESC" }], inOrder.toReversed()],
    [[{ column: "tokenId" }, { column: "priceUSD" }], inOrder],
  ];

  test.each(sorts.map(([sort, expected]) => [JSON.stringify(sort), expected, sort] as const))(
    "sorted by %s, the orders are %j",
    async (_, expected, sort) => {
      const { address } = await store([
        { currency: junk, price: 1n, tokenId: 0n },
        { currency: usd, price: 10n ** 12n, tokenId: 1n },
        { currency: junk, price: 1n, tokenId: 1n },
        { currency: junk, price: 9n, tokenId: 0n },
        { side: "offer", currency: junk, price: 1n, tokenId: 2n },
      ]);
      const listings = expected.filter((id) => id !== "4");
      expect(await listed(address, { page: { sort } })).toEqual(listings);
      expect(await listed(address, { page: { sort }, side: "offer" })).toEqual(["4"]);
      expect(await listed(address, { page: { sort }, side: "unknown" })).toEqual(expected);
      for (const [index, id] of expected.entries())
        expect(
          await listed(address, { page: { sort, page: index + 1, pageSize: 1 }, side: "unknown" }),
        ).toEqual([id]);
      const everything = { page: { sort }, filter: { includeEmpty: true } };
      expect(await listed(address, everything)).toEqual([...listings, "none"]);
      for (const filter of [{ notInCurrencyAddresses: [junk] }, { ordersCreatedBy: [makers[1] ?? ""] }])
        expect((await listed(address, { page: { sort }, filter })).includes("0")).toBe(false);
    },
  );

  test("has neither a floor nor a highest offer", async () => {
    const { address: contractAddress } = await store([
      { currency: junk },
      { currency: junk, side: "offer" },
      { currency: junk, side: "offer", tokenId: undefined },
    ]);
    expect(await market.client.getFloorOrder({ contractAddress })).toEqual({ collectible: null });
    const highest = await market.client.getHighestPriceOfferForCollectible({ contractAddress, tokenId: "0" });
    expect(highest).toEqual({ order: null });
    const filter = { inCurrencyAddresses: [junk] };
    const { collectible } = await market.client.getFloorOrder({ contractAddress, filter });
    expect(collectible?.order?.orderId).toBe("0");
  });

  test.each([
    [maxUnpricedOrders - 1, "1"],
    [maxUnpricedOrders, "1"],
    [maxUnpricedOrders + 1, "none"],
  ])("is listed if its order is among the first %s of its collection", async (number, expected) => {
    // All other orders are for one token, and cheaper.
    const cheap = Array.from({ length: number - 1 }, (_, index) => ({ orderId: `x${index}`, price: 1n }));
    const last = { orderId: "1", price: 2n, tokenId: 1n };
    const { address } = await store([...cheap, last].map((order) => ({ ...order, currency: junk })));
    const [first, second] = await listed(address, { filter: { includeEmpty: true } });
    expect([first, second]).toEqual(["x0", expected]);
  });
});

test("a changed rate reorders existing orders without writing a row", async () => {
  const { address } = await store([
    { currency: ether, price: 10n ** 18n, tokenId: 0n },
    { currency: usd, price: 1_000_000_000n, tokenId: 1n },
  ]);
  const versions = () =>
    market.database.query(
      "select xmin::text from market_order where collection_id = (select id from collection where address = $1) order by id",
      [address],
    );
  const before = await versions();
  expect(await listed(address)).toEqual(["1", "0"]);
  const setRate = (rate: string) =>
    market.database.query("update currency set usd_rate = $1 where address = $2", [rate, ether]);
  await setRate("500.25");
  try {
    await expect.poll(() => listed(address), { timeout: 120_000 }).toEqual(["0", "1"]);
    const { collectible } = await market.client.getFloorOrder({ contractAddress: address });
    expect(collectible?.order).toMatchObject({ orderId: "0", priceUSD: 500.25, priceUSDFormatted: "500.25" });
    expect(await versions()).toEqual(before);
  } finally {
    await setRate("2000.5");
    await expect.poll(() => listed(address), { timeout: 120_000 }).toEqual(["1", "0"]);
  }
});

test("an order past its end is shown as expired immediately", async () => {
  const { address } = await store([{ validUntil: "2021-01-01T00:00:00Z" }]);
  const { orders } = await market.client.getOrders({ input: [{ contractAddress: address, orderId: "0" }] });
  expect(orders).toMatchObject([{ status: "expired" }]);
  expect(await listed(address)).toEqual([]);
});

test.each([
  [5, null, 5],
  [5, 5, 5],
  [5, 9, 9],
])(
  "an order created in block %s and changed in block %s has block number %s",
  async (made, changed, expected) => {
    const { address: contractAddress } = await store([{}]);
    await market.database.query(
      `update market_order set block_number = $2, changed_block = $3
     where collection_id = (select id from collection where address = $1)`,
      [contractAddress, made, changed],
    );
    const { orders } = await market.client.getOrders({ input: [{ contractAddress, orderId: "0" }] });
    const { collectible } = await market.client.getFloorOrder({ contractAddress });
    expect([...orders, collectible?.order].map((order) => order?.blockNumber)).toEqual([expected, expected]);
  },
);

test("one id at two marketplaces means two orders, or one if the marketplace is given", async () => {
  const { address } = await store([
    { orderId: "17", marketplace: "opensea" },
    { orderId: "17", marketplace: "blur" },
  ]);
  const ask = async (more: object) => {
    const { orders } = await market.client.getOrders({
      input: [{ contractAddress: address, orderId: "17", ...more }],
    });
    return orders.map(({ marketplace }) => marketplace);
  };
  expect(await ask({})).toEqual(["blur", "opensea"]);
  expect(await ask({ marketplace: "opensea" })).toEqual(["opensea"]);
});

test("rows that orders refer to cannot be deleted", async () => {
  const { address } = await store([{}]);
  for (const [table, condition] of [
    ["collectible", "collection_id = (select id from collection where address = $1)"],
    ["collection", "address = $1"],
    ["currency", "exists (select from collection where address = $1)"],
  ])
    await expect(market.database.query(`delete from ${table} where ${condition}`, [address])).rejects.toThrow(
      /stays: orders may name it/,
    );
});

describe("rejects", () => {
  const contractAddress = `0x${"1".repeat(40)}`;
  test.each([
    [{ page: { sort: [{ column: "price" }] } }, '/page/sort/0/column: unknown column "price"'],
    [
      { page: { sort: [{ column: "tokenId" }, { column: "tokenId" }] } },
      '/page/sort/1/column: "tokenId" appears twice',
    ],
    [
      { filter: { prices: [{ contractAddress, min: String(2n ** 256n) }] } },
      "/filter/prices/0/min: must be at most 2^256 - 1",
    ],
  ])("%j", async (request, cause) => {
    await expect(market.client.listCollectibles({ contractAddress, ...request })).rejects.toMatchObject({
      code: 2000,
      cause: expect.stringContaining(cause),
    });
  });

  test("a token id that no chain can hold", async () => {
    const ask = market.client.getHighestPriceOfferForCollectible({
      contractAddress,
      tokenId: String(2n ** 256n),
    });
    await expect(ask).rejects.toMatchObject({ code: 2000, cause: "/tokenId: must be at most 2^256 - 1" });
  });
});

test("orders by id keep the requested order, and their page has an empty sort", async () => {
  const { address: contractAddress } = await store([{ price: 2n }, { price: 1n }]);
  const { orders, page } = await market.client.getOrders({
    input: ["0", "1"].map((orderId) => ({ contractAddress, orderId })),
    page: { page: 1, pageSize: 5, sort: [{ column: "priceUSD" }] },
  });
  expect(orders.map(({ orderId }) => orderId)).toEqual(["0", "1"]);
  expect(page).toEqual({ page: 1, pageSize: 5, more: false, sort: [] });
});

test("`more` of a page of orders is right below, at and above the number of orders", async () => {
  const { address: contractAddress } = await store([{}, {}, {}]);
  const input = ["0", "1", "2"].map((orderId) => ({ contractAddress, orderId }));
  for (const [page, pageSize, ids, more] of [
    [1, 2, ["0", "1"], true],
    [2, 2, ["2"], false],
    [3, 2, [], false],
    [1, 3, ["0", "1", "2"], false],
    [1, 4, ["0", "1", "2"], false],
  ] as const) {
    const found = await market.client.getOrders({ input, page: { page, pageSize } });
    expect(found.orders.map(({ orderId }) => orderId)).toEqual(ids);
    expect(found.page).toMatchObject({ page, pageSize, more });
  }
});

test.each([99, 100])("%i orders fit on one page by default", async (count) => {
  const { address: contractAddress } = await store([{}]);
  const input = Array.from({ length: count }, () => ({ contractAddress, orderId: "0" }));
  expect((await market.client.getOrders({ input })).page).toEqual({
    page: 1,
    pageSize: 100,
    more: false,
    sort: [],
  });
});

test.each(["0x0000000000000000000000000000000000000000", "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"])(
  "a currency filter reads %s as the chain's native coin",
  async (coin) => {
    const native = `0x${"0".repeat(40)}`;
    await market.database.query(
      "insert into currency (chain_id, address, symbol, name, decimals, usd_rate) values ($1, $2, 'N', 'Native', 18, 1) on conflict (chain_id, address) do update set usd_rate = 1",
      [chainId, native],
    );
    const { address: contractAddress } = await store([
      { side: "listing", currency: native, price: 5n },
      { side: "listing", currency: usd, price: 1n, tokenId: 1n },
      { side: "offer", currency: native, price: 5n },
    ]);
    expect(await listed(contractAddress, { filter: { inCurrencyAddresses: [coin] } })).toEqual(["0"]);
    expect(await listed(contractAddress, { filter: { notInCurrencyAddresses: [coin] } })).toEqual(["1"]);
    expect(
      await listed(contractAddress, { filter: { prices: [{ contractAddress: coin, min: "5" }] } }),
    ).toEqual(["0"]);
    const ask = { contractAddress, tokenId: "0", filter: { currencies: [coin] } };
    const { order } = await market.client.getHighestPriceOfferForCollectible(ask);
    expect(order?.orderId).toBe("2");
  },
);

test("page numbers and sizes are clamped to their limits", async () => {
  const { address } = await store([{}]);
  const pageOf = async (page: object) =>
    (await market.client.listCollectibles({ contractAddress: address, page })).page;
  expect(await pageOf({ page: 0, pageSize: 0 })).toEqual({ page: 1, pageSize: 30, more: false, sort: [] });
  expect(await pageOf({ pageSize: 4_000_000_000 })).toMatchObject({ page: 1, pageSize: 100 });
  expect(await pageOf({ page: 4_000_000_000 })).toMatchObject({ page: 4_000_000_000, more: false });
});

describe("SQL in a string is plain text", () => {
  const texts = [
    "'; drop table market_order; --",
    "\\'; --",
    "$1",
    "%",
    "_",
    '{"a":1}',
    "') or 1=1 --",
    "\u2019",
  ];

  test.each(texts)("%s", async (text) => {
    const { address } = await store([{}]);
    const filters = [
      { searchText: text },
      { properties: [{ name: text, values: [text] }] },
      { properties: [{ name: "Level", values: [text] }] },
    ];
    for (const filter of filters) expect(await listed(address, { filter })).toEqual([]);
    const { orders } = await market.client.getOrders({
      input: [{ contractAddress: address, orderId: text }],
    });
    expect(orders).toEqual([]);
    await expect(
      market.client.listCollectibles({
        contractAddress: address,
        page: { sort: [{ column: text.slice(0, 64) }] },
      }),
    ).rejects.toMatchObject({ code: 2000 });
    expect(await listed(address)).toEqual(["0"]);
  });
});
