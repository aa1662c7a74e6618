import type { APIHandlers } from "../../../../generated/server.ts";
import type { GetSwapPriceRequestWithDefaults } from "../../../../generated/types.ts";
import { RequestRejection } from "../../../base/request-rejection.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { Chains } from "../../../chain/rpc/chains.ts";
import { verifyMessage, verifyTypedData } from "../../../wallets/signatures/verify.ts";
import { readCurrency, type SwapRequest } from "../../../wallets/swaps/swap.ts";
import type { Swaps } from "../../../wallets/swaps/swaps.ts";
import { type CallContext, networkOf } from "../call-context.ts";

interface APIDependencies {
  readonly networks: Networks;
  readonly chains: Chains;
  readonly swaps: Swaps;
}

/** Largest typed data, in bytes of its JSON: 256 KiB, as in the schema. */
const typedDataMaxBytes = 262_144;

/** The methods of the service, except those that all services share. */
export function apiHandlers({
  networks,
  chains,
  swaps,
}: APIDependencies): Omit<APIHandlers<CallContext>, "Ping" | "Version"> {
  return {
    /** A signature that does not match is a result. Typed data that cannot be read is an error with its position. */
    IsValidTypedDataSignature: async (ctx, { chainId, walletAddress, typedData, signature }) => {
      const network = networkOf(networks, { chainId });
      const size = Buffer.byteLength(JSON.stringify(typedData));
      if (size > typedDataMaxBytes)
        throw new RequestRejection(
          `/typedData: ${size} bytes is too large; the limit is ${typedDataMaxBytes}`,
        );
      const claim = { wallet: walletAddress, typedData, signature };
      const openChain = () => chains.of(network, ctx.context.callerName);
      return { isValid: await verifyTypedData(claim, openChain, ctx.signal) };
    },
    IsValidMessageSignature: async (ctx, { chainId, walletAddress, message, signature }) => {
      const network = networkOf(networks, { chainId });
      const claim = { wallet: walletAddress, message, signature };
      const openChain = () => chains.of(network, ctx.context.callerName);
      return { isValid: await verifyMessage(claim, openChain, ctx.signal) };
    },
    GetSwapPrice: async (ctx, req) => {
      const order = swapOrder(req);
      const found = await swaps.price(networkOf(networks, req), order, {
        signal: ctx.signal,
        caller: ctx.context.callerName,
      });
      if (found === undefined) return { swapPrice: null };
      return {
        swapPrice: {
          currencyAddress: order.sell,
          // The request names no user.
          currencyBalance: "0",
          price: String(found.price),
          maxPrice: String(found.maxPrice),
          transactionValue: String(found.value),
        },
      };
    },
    /** Unlike a price, a quote without a route is an error: there is nothing to execute. */
    GetSwapQuote: async (ctx, req) => {
      const order = {
        ...swapOrder(req),
        user: req.userAddress as Hex,
        includeApprove: req.includeApprove,
      };
      const quote = await swaps.quote(networkOf(networks, req), order, {
        signal: ctx.signal,
        caller: ctx.context.callerName,
      });
      if (quote === undefined)
        return ctx.errors.QueryFailed({ cause: "No swap path with sufficient liquidity", expose: true });
      return {
        swapQuote: {
          currencyAddress: order.sell,
          currencyBalance: String(quote.balance),
          price: String(quote.price),
          maxPrice: String(quote.maxPrice),
          to: quote.to,
          transactionData: quote.data,
          transactionValue: String(quote.value),
          approveData: quote.approval ?? "",
        },
      };
    },
  };
}

function swapOrder(req: Omit<GetSwapPriceRequestWithDefaults, "chainId">): SwapRequest {
  return {
    sell: readCurrency(req.sellCurrencyAddress),
    buy: readCurrency(req.buyCurrencyAddress),
    amount: BigInt(req.buyAmount),
    slippagePercentage: req.slippagePercentage,
  };
}
