/** Queries random order books with random filters, and compares each response with the plain reference. */
import { expect } from "vitest";
import type { CollectibleOrder, ListCollectiblesRequest, OrderFilter } from "../../../../generated/types.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { chainId, type Market } from "./market.ts";
import { currencies, makers, markets, owners, randomBook, rarities, storeBook, words } from "./order-book.ts";
import { floorOf, highestOffer, isLive, listCollectibles, type ReferenceEntry } from "./reference-market.ts";

export async function checkBooks(
  { database, client }: Market,
  { seed, books }: { readonly seed: number; readonly books: number },
): Promise<void> {
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
    }
    for (const { tokenId } of book.tokens.slice(0, 3)) {
      const filter = randomOfferFilter(random);
      const { order } = await client.getHighestPriceOfferForCollectible({
        contractAddress,
        tokenId: String(tokenId),
        filter,
      });
      expect(order?.orderId, `${name}: ${tokenId} ${JSON.stringify(filter)}`).toBe(
        highestOffer(book, tokenId, filter)?.orderId,
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
