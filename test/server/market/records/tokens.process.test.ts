/** Tokens by id, by filter and counted, also while a reorganization hides them; and the lists of currencies. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Metadata } from "../../../../generated/client.ts";
import { chainId, type Market, openMarket } from "./market.ts";
import { currencies, makers, type ReferenceOrder, storeBook, storeOrders } from "./order-book.ts";

let market: Market;
let metadata: Metadata;

beforeAll(async () => {
  market = await openMarket();
  const headers = () => ({ "x-access-key": market.host.accessKey });
  metadata = new Metadata({ url: market.host.url, headers });
});
afterAll(() => market[Symbol.asyncDispose]());

const [usd, ether, , junk, points] = currencies.map(({ address }) => address) as [
  string,
  string,
  string,
  string,
  string,
];
const chain = String(chainId);

let collections = 0;

/** Stores tokens with the ids 0, 1, … in a collection of their own. */
async function store(
  names: readonly string[],
  orders: readonly Partial<ReferenceOrder>[] = [],
): Promise<string> {
  const address = `0xcc${(++collections).toString(16).padStart(38, "0")}`;
  const tokens = names.map((name, index) => ({ tokenId: BigInt(index), name, attributes: [], owners: [] }));
  await storeBook(market.database, chainId, { address, tokens, orders: orders.map(order) });
  return address;
}

function order(given: Partial<ReferenceOrder>, index: number): ReferenceOrder {
  return {
    orderId: String(index),
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
    ...given,
  };
}

interface Shown {
  readonly byId: readonly (readonly [string, string])[];
  readonly found: readonly string[];
  readonly count: number;
}

/** What all reads of tokens show. */
async function shownOf(contractAddress: string): Promise<Shown> {
  const tokenIDs = ["0", "1", "2"];
  const { tokenMetadata } = await metadata.getTokenMetadata({ chainId: chain, contractAddress, tokenIDs });
  const search = await metadata.searchTokenMetadata({ chainId: chain, contractAddress });
  const { count } = await market.client.getCountOfAllCollectibles({ contractAddress });
  return {
    byId: tokenMetadata.map(({ name, status }) => [name, status]),
    found: search.tokenMetadata.map(({ tokenId }) => tokenId),
    count,
  };
}

test("a token that a reorganization has undone is hidden until an order, an import or a block names it", async () => {
  const contractAddress = await store(["A", "B", "C"]);
  const update = (change: string): Promise<unknown> =>
    market.database.query(
      `update collectible set ${change}
       where token_id = 1 and collection_id = (select id from collection where address = $1)`,
      [contractAddress],
    );
  await market.database.query("update collectible set status = 'AVAILABLE' where name in ('A', 'B', 'C')");
  const rows = { A: ["A", "AVAILABLE"], B: ["B", "AVAILABLE"], C: ["C", "AVAILABLE"] } as const;
  const all = { byId: [rows.A, rows.B, rows.C], found: ["0", "1", "2"], count: 3 };
  const without = { byId: [rows.A, ["", "NOT_AVAILABLE"], rows.C], found: ["0", "2"], count: 2 };
  expect(await shownOf(contractAddress)).toEqual(all);
  await update("is_undone = true");
  expect(await shownOf(contractAddress)).toEqual(without);
  const ask = market.client.getCollectible({ contractAddress, tokenId: "1" });
  await expect(ask).rejects.toMatchObject({ code: 3000 });

  await storeOrders(market.database, chainId, contractAddress, [
    order({ tokenId: 1n, status: "inactive" }, 0),
  ]);
  expect(await shownOf(contractAddress)).toEqual(all);
  await market.database.query("update market_order set status = 'cancelled' where order_id = '0'");
  expect(await shownOf(contractAddress)).toEqual(without);
  await update("origin = 'import'");
  expect(await shownOf(contractAddress)).toEqual(all);
  await update("origin = 'chain'");
  expect(await shownOf(contractAddress)).toEqual(without);
  await update("is_undone = false");
  expect(await shownOf(contractAddress)).toEqual(all);
});

test("pages of tokens continue after the last seen token, also if tokens before it appear", async () => {
  const names = Array.from({ length: 5 }, (_, index) => (index === 0 ? "hidden" : `Sword ${index}`));
  const contractAddress = await store(names);
  const page = async (number: number) => {
    const { tokenMetadata, page: served } = await metadata.searchTokenMetadata({
      chainId: chain,
      contractAddress,
      filter: { text: "SWORD" },
      page: { page: number, pageSize: 2 },
    });
    return [tokenMetadata.map(({ tokenId }) => tokenId), served.more];
  };
  expect(await page(2)).toEqual([["3", "4"], false]);
  expect(await page(1)).toEqual([["1", "2"], true]);
  await market.database.query(
    "update collectible set name = 'Sword 0' where name = 'hidden' and collection_id = (select id from collection where address = $1)",
    [contractAddress],
  );
  expect(await page(2)).toEqual([["3", "4"], false]);
  expect(await page(1)).toEqual([["0", "1"], true]);
});

test.each([
  [String(2n ** 256n - 1n), undefined],
  [String(2n ** 256n), "/tokenIDs/0: must be at most 2^256 - 1"],
])("the token id %s has the error %s", async (tokenId, cause) => {
  const ask = metadata.getTokenMetadata({
    chainId: chain,
    contractAddress: `0x${"1".repeat(40)}`,
    tokenIDs: [tokenId],
  });
  if (cause === undefined) expect((await ask).tokenMetadata).toHaveLength(1);
  else await expect(ask).rejects.toMatchObject({ code: 2000, cause });
});

test.each([
  [99, true],
  [100, true],
  [101, false],
])("%i tokens by id are accepted: %s", async (count, isValid) => {
  const tokenIDs = Array.from({ length: count }, (_, index) => String(index));
  const ask = metadata.getTokenMetadata({ chainId: chain, contractAddress: `0x${"1".repeat(40)}`, tokenIDs });
  if (isValid) expect((await ask).tokenMetadata).toHaveLength(count);
  else await expect(ask).rejects.toMatchObject({ code: -4 });
});

test.each([
  [50, 50, true],
  [51, 1, false],
  [1, 51, false],
])("a batch of %i contracts with %i tokens each is accepted: %s", async (contracts, tokens, isValid) => {
  const tokenIds = Array.from({ length: tokens }, (_, index) => String(index));
  const addresses = Array.from(
    { length: contracts },
    (_, index) => `0x${String(index + 1).padStart(40, "0")}`,
  );
  const contractTokenMap = Object.fromEntries(addresses.map((address) => [address, tokenIds]));
  const ask = metadata.getTokenMetadataBatch({ chainId: chain, contractTokenMap });
  if (isValid)
    expect(Object.values((await ask).contractTokenMetadata).flat()).toHaveLength(contracts * tokens);
  else await expect(ask).rejects.toMatchObject({ code: -4 });
});

test("a batch merges spellings of an address, and rejects other keys", async () => {
  const contractAddress = await store(["A", "B"]);
  const upper = `0x${contractAddress.slice(2).toUpperCase()}`;
  const contractTokenMap = { [upper]: ["1"], [contractAddress]: ["0"] };
  const { contractTokenMetadata } = await metadata.getTokenMetadataBatch({
    chainId: chain,
    contractTokenMap,
  });
  expect(Object.keys(contractTokenMetadata)).toEqual([contractAddress]);
  expect(contractTokenMetadata[contractAddress]?.map(({ name }) => name)).toEqual(["B", "A"]);
  const ask = metadata.getTokenMetadataBatch({ chainId: chain, contractTokenMap: { nobody: ["1"] } });
  await expect(ask).rejects.toMatchObject({
    code: 2000,
    cause: '/contractTokenMap: "nobody" is not an address',
  });
});

test("ListCurrencies has the currencies with a rate and the configured ones", async () => {
  const { currencies: listed } = await market.client.listCurrencies({});
  const addresses = listed.map(({ contractAddress }) => contractAddress);
  expect(addresses).toEqual(expect.arrayContaining([usd, ether]));
  expect(addresses).not.toContain(junk);
  expect(listed[0]?.nativeCurrency).toBe(true);
  expect(listed.find(({ contractAddress }) => contractAddress === ether)).toMatchObject({
    exchangeRate: 2000.5,
    decimals: 18,
    status: "active",
    symbol: "T",
    name: "Test",
  });
});

test("the currencies of a collection are those of its live orders", async () => {
  const contractAddress = await store(
    ["A"],
    [
      { currency: usd },
      { currency: usd, price: 2n },
      { currency: junk },
      { currency: ether, status: "cancelled" },
      { currency: points, validUntil: "2021-01-01T00:00:00Z" },
      { currency: ether, side: "offer" },
      { currency: points, side: "offer", tokenId: undefined },
      {
        currency: junk,
        side: "offer",
        validFrom: "2100-01-01T00:00:00Z",
        validUntil: "2101-01-01T00:00:00Z",
      },
    ],
  );
  const { currencies: listings } = await market.client.getCollectionActiveListingsCurrencies({
    contractAddress,
  });
  expect(listings.map((one) => [one.contractAddress, one.exchangeRate])).toEqual([
    [usd, 1],
    [junk, 0],
  ]);
  const { currencies: offers } = await market.client.getCollectionActiveOffersCurrencies({ contractAddress });
  expect(offers.map((one) => one.contractAddress)).toEqual([ether, points]);
});

test("a collection that an operator has stopped following is inactive", async () => {
  const contractAddress = await store(["A"]);
  const statusOf = async () =>
    (await market.client.getCollectionDetail({ contractAddress })).collection.status;
  expect(await statusOf()).toBe("active");
  await market.database.query(
    `insert into followed_collection (collection_id, is_followed, known_through, followed_by)
     select id, false, 0, 'operator' from collection where address = $1`,
    [contractAddress],
  );
  expect(await statusOf()).toBe("inactive");
});
