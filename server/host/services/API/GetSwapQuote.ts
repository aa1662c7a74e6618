import type { APIHandlers } from "../../../../generated/server.ts";
import { readCurrency } from "../../../wallets/swaps/swap.ts";
import { type CallContext, networkOf } from "../call-context.ts";
import { swapFailure } from "./failures.ts";
import type { SwapDependencies } from "./GetSwapPrice.ts";

/** Unlike a price, a quote without a route is an error: there is nothing to execute. */
export function getSwapQuote({
  networks,
  swaps,
}: SwapDependencies): APIHandlers<CallContext>["GetSwapQuote"] {
  return async (ctx, req) => {
    const sell = readCurrency(req.sellCurrencyAddress);
    const order = {
      sell,
      buy: readCurrency(req.buyCurrencyAddress),
      amount: BigInt(req.buyAmount),
      slippagePercentage: req.slippagePercentage,
      user: req.userAddress as `0x${string}`,
      includeApprove: req.includeApprove,
    };
    try {
      const quote = await swaps.quote(networkOf(networks, req), order, {
        signal: ctx.signal,
        caller: ctx.host.callerName,
      });
      if (quote === undefined)
        return ctx.errors.QueryFailed({ cause: "No swap path with sufficient liquidity", expose: true });
      return {
        swapQuote: {
          currencyAddress: sell,
          currencyBalance: String(quote.balance),
          price: String(quote.price),
          maxPrice: String(quote.maxPrice),
          to: quote.to,
          transactionData: quote.data,
          transactionValue: String(quote.value),
          approveData: quote.approval ?? "",
        },
      };
    } catch (err) {
      return swapFailure(ctx.errors, err);
    }
  };
}
