import { afterAll, beforeAll, test } from "vitest";
import { checkBooks } from "./check-books.ts";
import { type Market, openMarket } from "./market.ts";

let market: Market;

beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market[Symbol.asyncDispose]());

test("lists, floors and highest offers are those of a plain reference", async () => {
  await checkBooks(market, { seed: 1, books: 15 });
});
