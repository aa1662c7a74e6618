import type { APIHandlers } from "../../../../generated/server.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import { readCurrency } from "../../../wallets/swaps/swap.ts";
import type { Swaps } from "../../../wallets/swaps/swaps.ts";
import { type CallContext, networkOf } from "../call-context.ts";
import { swapFailure } from "./failures.ts";

export interface SwapDependencies {
  readonly networks: Networks;
  readonly swaps: Swaps;
}

export function getSwapPrice({
  networks,
  swaps,
}: SwapDependencies): APIHandlers<CallContext>["GetSwapPrice"] {
  return async (ctx, req) => {
    const sell = readCurrency(req.sellCurrencyAddress);
    const order = {
      sell,
      buy: readCurrency(req.buyCurrencyAddress),
      amount: BigInt(req.buyAmount),
      slippagePercentage: req.slippagePercentage,
    };
    try {
      const found = await swaps.price(networkOf(networks, req), order, {
        signal: ctx.signal,
        caller: ctx.host.callerName,
      });
      if (found === undefined) return { swapPrice: null };
      return {
        swapPrice: {
          currencyAddress: sell,
          // The request names no user.
          currencyBalance: "0",
          price: String(found.price),
          maxPrice: String(found.maxPrice),
          transactionValue: String(found.value),
        },
      };
    } catch (err) {
      return swapFailure(ctx.errors, err);
    }
  };
}
