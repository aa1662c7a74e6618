/** Queries random order books with random filters, and compares each response with the plain reference. */
import { expect } from "vitest";
import type {
  CollectibleOrder,
  ListCollectiblesRequest,
  Order,
  OrderFilter,
  Page,
  PageInput,
} from "../../../../generated/types.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { chainId, type Market } from "./market.ts";
import {
  currencies,
  makers,
  markets,
  type OrderBook,
  owners,
  type ReferenceOrder,
  randomBook,
  rarities,
  storeBook,
  words,
} from "./order-book.ts";
import {
  floorOf,
  hasPassingToken,
  isLive,
  listCollectibles,
  listOrders,
  orderOfToken,
  type ReferenceEntry,
  wideFilter,
} from "./reference-market.ts";

export async function checkBooks(
  market: Market,
  { seed, books }: { readonly seed: number; readonly books: number },
): Promise<void> {
  const { database, client } = market;
  for (let number = 0; number < books; number++) {
    const random = seededRandom(seed * 1_000_003 + number);
    const book = randomBook(random, seed * 1_000_000 + number + 1);
    await storeBook(database, chainId, book);
    const name = `seed ${seed}, book ${number}`;
    const contractAddress = book.address;
    for (let query = 0; query < 5; query++) {
      const filter = randomFilter(random);
      const side = random.pick(["listing", "offer", "unknown"] as const);
      const sort = randomSort(random);
      const pageSize = 1 + random.below(5);
      const expected = listCollectibles(book, { side, filter, page: { sort } });
      const about = `${name}: ${JSON.stringify({ side, filter, sort, pageSize })}`;
      const pages = Math.max(1, Math.ceil(expected.length / pageSize));
      const numbers = Array.from({ length: pages }, (_, index) => index + 1);
      // From the last page to the first, where each is found by offset, and then forwards, where each continues from the previous page.
      for (const page of [...numbers.toReversed(), ...numbers]) {
        const request = { contractAddress, side, filter, page: { page, pageSize, sort } };
        const answer = await client.listCollectibles(request);
        const start = (page - 1) * pageSize;
        expect(answer.collectibles.map(entryOf), about).toEqual(expected.slice(start, start + pageSize));
        expect(answer.page, about).toEqual({ page, pageSize, sort, more: page < pages });
      }
      const { collectible } = await client.getFloorOrder({ contractAddress, filter });
      expect(collectible === null ? undefined : entryOf(collectible), about).toEqual(floorOf(book, filter));
      const { count } = await client.getCountOfFilteredCollectibles({ contractAddress, side, filter });
      expect(count, about).toBe(expected.length);
    }
    expect((await client.getCountOfAllCollectibles({ contractAddress })).count, name).toBe(
      book.tokens.length,
    );
    await checkOrderLists(market, book, random, name);
    for (const { tokenId } of book.tokens.slice(0, 3)) {
      const filter = randomOfferFilter(random);
      const about = `${name}: ${tokenId} ${JSON.stringify(filter)}`;
      const request = { contractAddress, tokenId: String(tokenId), filter };
      for (const [side, price, { order }] of [
        ["offer", "highest", await client.getHighestPriceOfferForCollectible(request)],
        ["offer", "lowest", await client.getLowestPriceOfferForCollectible(request)],
        ["listing", "highest", await client.getHighestPriceListingForCollectible(request)],
        ["listing", "lowest", await client.getLowestPriceListingForCollectible(request)],
      ] as const)
        expect(order?.orderId, `${about} ${price} ${side}`).toBe(
          orderOfToken(book, side, price, tokenId, filter)?.orderId,
        );
    }
    const asked = random.shuffle(book.orders).slice(0, 5);
    const input = asked.flatMap(({ orderId }) => [
      { contractAddress, orderId },
      { contractAddress, orderId: "?" },
    ]);
    const { orders } = await client.getOrders({ input });
    expect(
      orders.map(({ orderId }) => orderId),
      name,
    ).toEqual(asked.map(({ orderId }) => orderId));
    expect(orders.filter(({ status }) => status === "active").length, name).toBeGreaterThanOrEqual(
      asked.filter(isLive).length,
    );
  }
}

/** Compares the lists of orders and their counts with the reference, page by page. */
async function checkOrderLists(
  { database, client }: Market,
  book: OrderBook,
  random: Random,
  name: string,
): Promise<void> {
  const contractAddress = book.address;
  const rows = await database.query<{ orderId: string; id: number }>(
    `select order_id as "orderId", id::float8 as id from market_order
     where collection_id = (select id from collection where address = $1)`,
    [contractAddress],
  );
  const ids = new Map(rows.map(({ orderId, id }) => [orderId, id]));
  const idOf = ({ orderId }: ReferenceOrder): number => ids.get(orderId) ?? 0;
  const orderIdsOf = (orders: readonly { readonly orderId: string }[]): readonly string[] =>
    orders.map(({ orderId }) => orderId);
  const tokenId = book.tokens[0]?.tokenId ?? 0n;
  const filter = randomOfferFilter(random);
  const wide = randomFilter(random);
  const side = random.pick(["listing", "offer", "unknown"] as const);
  const ofCollection = { contractAddress, filter };
  const ofToken = { ...ofCollection, tokenId: String(tokenId) };
  const filtered = { contractAddress, side, filter: wide };
  const sort = randomSort(random);
  const pageSize = 1 + random.below(5);
  const about = `${name}: ${JSON.stringify({ filter, wide, side, sort, pageSize })}`;
  const listOf = (sides: readonly ("listing" | "offer")[], more: { tokenId?: bigint } = {}) =>
    listOrders(book, { sides, filter: wideFilter(filter), sort, ...more }, idOf);
  const sides = side === "unknown" ? (["listing", "offer"] as const) : ([side] as const);
  const withTokens = listOrders(book, { sides, filter: wide, sort }, idOf).filter((order) =>
    hasPassingToken(book, order, wide),
  );
  type Read = (page: PageInput) => Promise<readonly [readonly Order[], Page]>;
  const lists: readonly (readonly [readonly ReferenceOrder[], Read])[] = [
    [listOf(["listing"]), async (page) => listed(await client.listListings({ ...ofCollection, page }))],
    [listOf(["offer"]), async (page) => listed(await client.listOffers({ ...ofCollection, page }))],
    [
      listOf(["listing"], { tokenId }),
      async (page) => listed(await client.listListingsForCollectible({ ...ofToken, page })),
    ],
    [
      listOf(["offer"], { tokenId }),
      async (page) => listed(await client.listOffersForCollectible({ ...ofToken, page })),
    ],
    [
      withTokens,
      async (page) => {
        const found = await client.listOrdersWithCollectibles({ ...filtered, page });
        for (const { metadata, order } of found.collectibles) expect(metadata.tokenId).toBe(order?.tokenId);
        return listed({ ...found, listings: found.collectibles.flatMap(({ order }) => order ?? []) });
      },
    ],
  ];
  for (const [index, [expected, read]] of lists.entries()) {
    const pages = Math.max(1, Math.ceil(expected.length / pageSize));
    const numbers = Array.from({ length: pages }, (_, at) => at + 1);
    for (const page of [...numbers.toReversed(), ...numbers]) {
      const [orders, served] = await read({ page, pageSize, sort });
      const start = (page - 1) * pageSize;
      expect(orderIdsOf(orders), `list ${index} of ${about}`).toEqual(
        orderIdsOf(expected.slice(start, start + pageSize)),
      );
      expect(served, about).toEqual({ page, pageSize, sort, more: page < pages });
    }
  }
  const counts = [
    await client.getCountOfListingsForCollectible(ofToken),
    await client.getCountOfOffersForCollectible(ofToken),
    await client.getCountOfFilteredOrders(filtered),
    await client.getCountOfAllOrders({ contractAddress, side }),
  ];
  const everything = listOrders(book, { sides, filter: {}, sort: [] }, idOf);
  expect(
    counts.map(({ count }) => count),
    about,
  ).toEqual([
    lists[2]?.[0].length,
    lists[3]?.[0].length,
    withTokens.length,
    everything.filter(({ tokenId: token }) => token !== undefined).length,
  ]);
}

interface OrderPage {
  readonly listings?: readonly Order[];
  readonly offers?: readonly Order[];
  readonly page: Page;
}

function listed({ listings = [], offers = [], page }: OrderPage): readonly [readonly Order[], Page] {
  return [[...listings, ...offers], page];
}

function entryOf({ metadata, order, listing, offer }: CollectibleOrder): ReferenceEntry {
  return {
    tokenId: metadata.tokenId,
    order: order?.orderId,
    listing: listing?.orderId,
    offer: offer?.orderId,
  };
}

type Filter = NonNullable<ListCollectiblesRequest["filter"]>;

function randomFilter(random: Random): Filter {
  const some = <Item>(items: readonly Item[]): Item[] =>
    random.shuffle(items).slice(0, random.below(items.length + 1));
  const addresses = currencies.map(({ address }) => address);
  const parts: readonly (() => Filter)[] = [
    () => ({ includeEmpty: true }),
    () => ({ searchText: some(words).slice(0, 2).join(" ").toUpperCase() }),
    () => ({ properties: some(properties(random)) }),
    () => ({ marketplaces: some(markets) }),
    () => ({ inAccounts: some(owners) }),
    () => ({ notInAccounts: some(owners) }),
    () => ({ ordersCreatedBy: some(makers) }),
    () => ({ ordersNotCreatedBy: some(makers) }),
    () => ({ inCurrencyAddresses: some(addresses) }),
    () => ({ notInCurrencyAddresses: some(addresses) }),
    () => ({ prices: some([...addresses, ...addresses]).map((address) => priceRange(random, address)) }),
  ];
  return Object.assign({}, ...parts.map((part) => (random.chance(15) ? part() : {}))) as Filter;
}

function properties(random: Random): NonNullable<Filter["properties"]> {
  return [
    { name: "Rarity", type: "STRING", values: random.shuffle(rarities).slice(0, random.below(3)) },
    { name: "Level", type: "INT", min: random.below(3), max: 2 + random.below(3) },
    { name: "Level", values: [String(random.below(5))] },
    { name: "Level", min: 3 },
    { name: "absent", values: ["x"] },
  ];
}

function priceRange(random: Random, contractAddress: string): NonNullable<Filter["prices"]>[number] {
  const { decimals = 0 } = currencies.find(({ address }) => address === contractAddress) ?? {};
  const amount = (): string => String(BigInt(1 + random.below(4)) * 10n ** BigInt(decimals));
  return {
    contractAddress,
    ...(random.chance(70) ? { min: amount() } : {}),
    ...(random.chance(70) ? { max: amount() } : {}),
  };
}

function randomSort(random: Random): { column: string; order: "ASC" | "DESC" }[] {
  if (random.chance(50)) return [];
  const columns = ["priceUSD", "createdAt", "updatedAt", "tokenId", "validUntil"];
  return random
    .shuffle(columns)
    .slice(0, 1 + random.below(3))
    .map((column) => ({ column, order: random.pick(["ASC", "DESC"] as const) }));
}

function randomOfferFilter(random: Random): OrderFilter {
  return {
    ...(random.chance(30) ? { createdBy: [random.pick(makers)] } : {}),
    ...(random.chance(30) ? { marketplace: [random.pick(markets)] } : {}),
    ...(random.chance(30) ? { currencies: [random.pick(currencies).address] } : {}),
  };
}
