/** Order book figures: the best orders of each token, and the depth of both sides. */
import { expect, test } from "vitest";
import { bestByToken, depthOf, dollars } from "../../../../server/host/sandbox-page/page/depth.ts";
import type { LiveOrder } from "../../../../server/host/sandbox-page/snapshot.ts";

const order = (
  id: number,
  side: string,
  tokenId: string | null,
  usd: number | null,
  quantity = "1",
): LiveOrder => ({
  id,
  orderId: String(id),
  marketplace: "m",
  side,
  status: "active",
  tokenId,
  usd,
  quantity,
  price: "1",
  currency: "X",
  maker: "0x",
  updatedAt: "",
});

test("the lowest listing and the highest offer win, unpriced orders never win, and ids are sorted as numbers", () => {
  const best = bestByToken([
    order(1, "listing", "10", 5),
    order(2, "listing", "9", null),
    order(3, "listing", "9", 7),
    order(4, "listing", "9", 6),
    order(5, "listing", "9", null),
    order(6, "offer", "9", 2),
    order(7, "offer", "9", 3),
    order(8, "offer", null, null),
    order(9, "listing", "115792089237316195423570985008687907853269984665640564039457584007913129639935", 1),
  ]);
  expect(
    best.map(({ tokenId, listing, offer, orders }) => [tokenId?.length, listing?.id, offer?.id, orders]),
  ).toEqual([
    [undefined, undefined, 8, 1],
    [1, 4, 7, 6],
    [2, 1, undefined, 1],
    [78, 9, undefined, 1],
  ]);
});

test("depth accumulates from the best price on, one step per price", () => {
  const orders = [
    order(1, "listing", "1", 5, "2"),
    order(2, "listing", "2", 3, "0.5"),
    order(3, "listing", "3", 5, "1"),
    order(4, "offer", "1", 1),
    order(5, "offer", "1", 2, "10"),
    order(6, "offer", "1", null, "100"),
  ];
  expect(depthOf(orders)).toEqual({
    listings: [
      { price: 3, quantity: 0.5 },
      { price: 5, quantity: 3.5 },
    ],
    offers: [
      { price: 2, quantity: 10 },
      { price: 1, quantity: 11 },
    ],
  });
});

test.each([
  [0, "$0.00"],
  [1234.5, "$1,234.50"],
  [0.00012345, "$0.000123"],
])("%s dollars are %s", (usd, text) => {
  expect(dollars(usd)).toBe(text);
});
