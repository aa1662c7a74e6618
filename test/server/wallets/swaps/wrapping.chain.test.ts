import type { Address } from "viem";
import { describe, expect, test } from "vitest";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { nativeCoin } from "../../../../server/wallets/swaps/swap.ts";
import { Swaps } from "../../../../server/wallets/swaps/swaps.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";
import { Account } from "./account.ts";

const amount = 3n * 10n ** 18n + 7n;

describe.skipIf(noSandbox)("the native coin and its wrapped token", () => {
  const sandbox = useSandbox();
  const swaps = new Swaps(new Chains(), { deadlineSeconds: 1_200, maxPriceImpactPercent: 1 });

  test.each(["v2", "swapRouter", "swapRouter02"] as const)(
    "are exchanged 1:1 by the token's contract, as known from %s",
    async (kind) => {
      const { exchanges, rpcUrl, accounts } = sandbox();
      const router = kind === "v2" ? exchanges.v2Router : exchanges[kind];
      const network = localNetwork(rpcUrl, { exchanges: [{ kind, router }] });
      const user = new Account(rpcUrl, accounts[2] as Address);
      const wrapped = exchanges.wrappedCoin.toLowerCase() as Address;
      for (const [sell, buy] of [
        [nativeCoin, wrapped],
        [wrapped, nativeCoin],
      ] as const) {
        const request = { sell, buy, amount, slippagePercentage: 50 };
        const value = sell === nativeCoin ? amount : 0n;
        expect(await swaps.price(network, request)).toEqual({ price: amount, maxPrice: amount, value });
        const quote = await swaps.quote(network, { ...request, user: user.address, includeApprove: true });
        if (quote === undefined) throw new Error("no quote");
        const [coins, tokens] = [await user.coins(), await user.tokens(wrapped)];
        expect(quote).toMatchObject({
          price: amount,
          maxPrice: amount,
          value,
          to: wrapped,
          approval: undefined,
          balance: sell === nativeCoin ? coins : tokens,
        });
        const { isDone, gasCost } = await user.send(quote.to, quote.data, quote.value);
        const sign = sell === nativeCoin ? -1n : 1n;
        expect({
          isDone,
          coins: (await user.coins()) - coins + gasCost,
          tokens: (await user.tokens(wrapped)) - tokens,
        }).toEqual({ isDone: true, coins: sign * amount, tokens: -sign * amount });
      }
    },
  );

  test("are not exchanged by a contract that a router with unexpected code names", async () => {
    const { exchanges, rpcUrl } = sandbox();
    const codeHash = `0x${"12".repeat(32)}`;
    const network = localNetwork(rpcUrl, {
      exchanges: [{ kind: "v2", router: exchanges.v2Router, codeHash }],
    });
    const buy = exchanges.wrappedCoin.toLowerCase() as Address;
    const price = swaps.price(network, { sell: nativeCoin, buy, amount, slippagePercentage: 0 });
    await expect(price).rejects.toThrow("does not have the expected code");
  });
});
