/** Reads pages one after the other while orders are added and removed. */
import { expect } from "vitest";
import { listCollectibles, pages } from "../../../../generated/client.ts";
import { seededRandom } from "../../../support/random.ts";
import { chainId, type Market } from "./market.ts";
import { type OrderBook, type ReferenceOrder, randomOrder, storeBook, storeOrders } from "./order-book.ts";

/** Checks that tokens with an unchanged best order are on exactly one page; the others may be on any. */
export async function pageChangingBook(
  { database, client }: Market,
  { seed, walks }: { readonly seed: number; readonly walks: number },
): Promise<void> {
  for (let walk = 0; walk < walks; walk++) {
    const random = seededRandom(seed * 7_919 + walk);
    const tokens = Array.from({ length: 30 }, (_, index) => ({
      tokenId: BigInt(index),
      name: "",
      attributes: [],
      owners: [],
    }));
    const settled = tokens.slice(0, 20);
    const orderOf = (token: (typeof tokens)[number], index: number): ReferenceOrder => ({
      ...randomOrder(random, [token], index),
      side: "listing",
      tokenId: token.tokenId,
      currency: `0x${random.pick(["a", "b", "c"]).repeat(40)}`,
      status: "active",
      available: 1n,
      isDeleted: false,
      validFrom: "2020-01-01T00:00:00Z",
      validUntil: "2100-01-01T00:00:00Z",
    });
    const book: OrderBook = {
      address: `0xcc${(seed * 1_000 + walk).toString(16).padStart(38, "0")}`,
      tokens,
      orders: tokens.map(orderOf),
    };
    await storeBook(database, chainId, book);
    const sort =
      walk % 2 === 0 ? [] : [{ column: random.pick(["createdAt", "priceUSD"]), order: "DESC" as const }];
    const seen: string[] = [];
    const request = { contractAddress: book.address, side: "listing", page: { pageSize: 3, sort } } as const;
    for await (const { collectibles, page } of pages(listCollectibles, client.client, request)) {
      seen.push(...collectibles.map(({ metadata }) => metadata.tokenId));
      // Adds and removes orders for the other tokens, before and after the position reached.
      const changing = tokens.slice(20).map((token, index) => orderOf(token, 1_000 * page.page + index));
      await storeOrders(database, chainId, book.address, random.shuffle(changing).slice(0, 4));
      await database.query(
        `delete from market_order where id in (
          select market_order.id from market_order join collectible as token on token.id = collectible_id
          join collection on collection.id = token.collection_id
          where collection.address = $1 and token.token_id >= 20 and hashint8(market_order.id + $2) % 3 = 0
        )`,
        [book.address, page.page],
      );
    }
    for (const { tokenId } of settled)
      expect(
        seen.filter((one) => one === String(tokenId)),
        `seed ${seed}, walk ${walk}: token ${tokenId}`,
      ).toHaveLength(1);
  }
}
