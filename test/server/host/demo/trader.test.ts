import { expect, test } from "vitest";
import { Trader, tradeKinds } from "../../../../server/host/demo/trader.ts";

const any = ["list", "buy", "buy", "offer"];

test.each([
  [0, 0, ["list"]],
  [2, 9, ["list"]],
  [3, 0, any],
  [3, 1, [...any, "sell"]],
  [8, 6, [...any, "sell"]],
  [8, 7, ["sell"]],
  [9, 7, ["buy"]],
])("with %i listings and %i offers, the next trade is drawn from %j", (listings, offers, kinds) => {
  expect(tradeKinds(listings, offers)).toEqual(kinds);
});

test("a trade that fails is tried four times, half a second apart", async () => {
  let attempts = 0;
  const marketplace = {
    listCollectibles: async ({ side }: { readonly side: string }) => {
      if (side === "listing") attempts++;
      throw new Error("the order is gone");
    },
  };
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  const trader = new Trader({ on: () => ({ marketplace }) } as never, { accounts: [] } as never, { wait });
  await expect(trader.trade()).rejects.toThrow("the order is gone");
  expect({ attempts, waits }).toEqual({ attempts: 4, waits: [500, 500, 500] });
});
