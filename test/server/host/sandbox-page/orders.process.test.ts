/** The orders of a collection on the Live page. */
import { expect, test } from "vitest";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { readBook } from "../../../../server/host/sandbox-page/orders.ts";
import { storedRates } from "../../../../server/market/records/currencies/currency.ts";
import { migratedDatabase } from "../../../support/server.ts";
import {
  currencies,
  type ReferenceOrder,
  storeBook,
  storeCurrencies,
} from "../../market/records/order-book.ts";

const chainId = 137;
const address = `0x${"c0".repeat(20)}`;
const [usd = "", ether = "", , junk = ""] = currencies.map((currency) => currency.address);

function order(orderId: string, side: "listing" | "offer", currency: string, price: bigint): ReferenceOrder {
  return {
    orderId,
    side,
    currency,
    price,
    tokenId: 0n,
    status: "active",
    available: 1n,
    isDeleted: false,
    marketplace: "opensea",
    createdBy: `0x${"1".repeat(40)}`,
    validFrom: "2020-01-01T00:00:00Z",
    validUntil: "2100-01-01T00:00:00Z",
    madeAt: "2021-01-01T00:00:00Z",
    updatedAt: "2021-01-01T00:00:00Z",
  };
}

test("best prices in USD come first, and unpriced orders last", async () => {
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 2, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await storeCurrencies(database, chainId);
  const orders = (["listing", "offer"] as const).flatMap((side) => [
    ...Array.from({ length: 250 }, (_, index) =>
      order(`${side} junk ${index}`, side, junk, side === "listing" ? 1n : 10n ** 40n),
    ),
    order(`${side} ether`, side, ether, 10n ** 18n),
    order(`${side} usd`, side, usd, 1_000_000n),
  ]);
  await storeBook(database, chainId, {
    address,
    tokens: [{ tokenId: 0n, name: "", attributes: [], owners: [] }],
    orders,
  });
  const { open } = await readBook(database, storedRates(database, []), { chainId, address });
  const listings = open.filter(({ side }) => side === "listing").map(({ orderId }) => orderId);
  const offers = open.filter(({ side }) => side === "offer").map(({ orderId }) => orderId);
  expect([listings.length, offers.length]).toEqual([250, 250]);
  expect(listings.slice(0, 3)).toEqual(["listing usd", "listing ether", "listing junk 0"]);
  expect(offers.slice(0, 3)).toEqual(["offer ether", "offer usd", "offer junk 0"]);
});
