import type { ErrorMakers, RpcFailure } from "ridlkit-runtime/handler";
import type { APIHandlers } from "../../../../generated/server.ts";
import type { GetSwapPriceRequestWithDefaults } from "../../../../generated/types.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import { ChainFailure, type Hex, NoNodes } from "../../../chain/rpc/chain.ts";
import type { Chains } from "../../../chain/rpc/chains.ts";
import { TypedDataError } from "../../../wallets/signatures/typed-data/types.ts";
import { verifyTypedData } from "../../../wallets/signatures/verify.ts";
import { NoExchanges, readCurrency, SwapRejection, type SwapRequest } from "../../../wallets/swaps/swap.ts";
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
      const reject = (cause: string) => ctx.errors.InvalidArgument({ cause, expose: true });
      const network = networkOf(networks, { chainId });
      const size = Buffer.byteLength(JSON.stringify(typedData));
      if (size > typedDataMaxBytes)
        return reject(`typedData: ${size} bytes is too large; the limit is ${typedDataMaxBytes}`);
      const claim = { wallet: walletAddress, typedData, signature };
      try {
        const openChain = () => chains.of(network, ctx.host.callerName);
        return { isValid: await verifyTypedData(claim, openChain, ctx.signal) };
      } catch (err) {
        if (err instanceof TypedDataError) return reject(`typedData.${err.message}`);
        return chainFailure(ctx.errors, err);
      }
    },
    GetSwapPrice: async (ctx, req) => {
      const order = swapOrder(req);
      try {
        const found = await swaps.price(networkOf(networks, req), order, {
          signal: ctx.signal,
          caller: ctx.host.callerName,
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
      } catch (err) {
        return swapFailure(ctx.errors, err);
      }
    },
    /** Unlike a price, a quote without a route is an error: there is nothing to execute. */
    GetSwapQuote: async (ctx, req) => {
      const order = {
        ...swapOrder(req),
        user: req.userAddress as Hex,
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
      } catch (err) {
        return swapFailure(ctx.errors, err);
      }
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

type ChainErrorName = "Unavailable" | "QueryFailed";

/** Maps the reasons why a chain could not be read to errors of the contract. Rethrows everything else. */
function chainFailure(errors: ErrorMakers<ChainErrorName>, err: unknown): RpcFailure<ChainErrorName> {
  if (err instanceof NoNodes) return errors.Unavailable({ cause: err.message, expose: true });
  if (err instanceof ChainFailure) return errors.QueryFailed({ cause: err.message, expose: true });
  throw err;
}

type SwapErrorName = "InvalidArgument" | ChainErrorName;

/** Maps the reasons why a swap failed to errors of the contract. Rethrows everything else. */
export function swapFailure(errors: ErrorMakers<SwapErrorName>, err: unknown): RpcFailure<SwapErrorName> {
  if (err instanceof SwapRejection) return errors.InvalidArgument({ cause: err.message, expose: true });
  if (err instanceof NoExchanges) return errors.Unavailable({ cause: err.message, expose: true });
  return chainFailure(errors, err);
}
