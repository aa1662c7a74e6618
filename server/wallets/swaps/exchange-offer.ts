import { RequestRejection } from "../../base/request-rejection.ts";
import { uint256Max } from "../../base/uint256.ts";
import type { Exchange } from "../../chain/networks/exchanges.ts";
import type { Network } from "../../chain/networks/network.ts";
import { CallReverted, type Chain, ChainFailure, type Hex } from "../../chain/rpc/chain.ts";
import { type Offer, type OfferRequest, priceImpactPercent, type Route } from "./swap.ts";
import type { LensResult, TransferBehavior } from "./viem/lens.ts";

/** The user's balance and the cheapest offer of the network's exchanges. */
export interface ExchangeResult {
  readonly balance: bigint;
  readonly offer: Offer | undefined;
  /** Exchanges that were skipped, because their router has unexpected code. */
  readonly unexpectedRouters: readonly Exchange[];
}

/**
 * Finds the cheapest offer in one call to a node. A quote can be executed until `deadlineSeconds` after the latest block.
 * Throws RequestRejection for a currency that cannot be swapped at all, and ChainFailure.
 */
export async function findExchangeOffer(
  chain: Chain,
  network: Network,
  request: OfferRequest,
  deadlineSeconds: number,
): Promise<ExchangeResult> {
  const result = await runLens(chain, network, request);
  checkBehavior("sellCurrencyAddress", request.sell, result.sell);
  checkBehavior("buyCurrencyAddress", request.buy, result.buy);
  const { balance, unexpectedRouters, route } = result;
  checkRouters(network, unexpectedRouters);
  return {
    balance,
    unexpectedRouters,
    offer: route === undefined ? undefined : offerOf(route, result, request, deadlineSeconds),
  };
}

function offerOf(
  route: Route,
  { timestamp, allowance }: LensResult,
  request: OfferRequest,
  deadlineSeconds: number,
): Offer {
  const { price, exchange, tokens } = route;
  const [first, ...others] = tokens;
  if (first !== undefined && others.length === 0) return wrappingOffer(price, first, request);
  return {
    price,
    to: exchange.router as Hex,
    allowance,
    hasFixedPrice: false,
    priceImpactPercent: priceImpactPercent(route, request.amount),
    encodeCall: async (maxPrice, user) => {
      const { encodeSwap } = await import("./viem/transaction.ts");
      const deadline = laterOf(timestamp, BigInt(Math.floor(Date.now() / 1_000))) + BigInt(deadlineSeconds);
      return encodeSwap({ route, request, maxPrice, user, deadline });
    },
  };
}

function wrappingOffer(price: bigint, wrapped: Hex, request: OfferRequest): Offer {
  return {
    price,
    to: wrapped,
    // The contract only touches its caller's own balance.
    allowance: uint256Max,
    hasFixedPrice: true,
    priceImpactPercent: undefined,
    encodeCall: async () => {
      const { encodeWrapping } = await import("./viem/transaction.ts");
      return encodeWrapping(request);
    },
  };
}

/** The time of the latest block may be ahead of the clock (on a test chain) or hours behind it (on a chain that mines on demand). */
function laterOf(block: bigint, clock: bigint): bigint {
  return block > clock ? block : clock;
}

async function runLens(
  chain: Chain,
  network: Network,
  { signal, ...request }: OfferRequest,
): Promise<LensResult> {
  const { findRoute } = await import("./viem/lens.ts");
  try {
    return await findRoute(chain, network, request, signal);
  } catch (err) {
    // A token whose transfer never ends can use up the gas of the whole search.
    if (err instanceof CallReverted)
      throw new ChainFailure(`the nodes of ${network.name} could not complete the search for a route`, {
        cause: err,
      });
    throw err;
  }
}

function checkBehavior(field: string, currency: Hex, behavior: TransferBehavior): void {
  const problem = problems[behavior];
  if (problem !== undefined) throw new RequestRejection(`/${field}: ${currency} ${problem}`);
}

const problems: Readonly<Record<TransferBehavior, string | undefined>> = {
  exact: undefined,
  takesAFee: "charges a fee on transfers, so exact amounts cannot be swapped",
  fails: "cannot be transferred",
  noToken: "is not a token on this chain",
};

/** Callers approve the router, so routers with unexpected code are never used. Throws ChainFailure if no other router is left. */
function checkRouters(network: Network, unexpectedRouters: LensResult["unexpectedRouters"]): void {
  const [first] = unexpectedRouters;
  if (first !== undefined && unexpectedRouters.length === network.exchanges.length)
    throw new ChainFailure(`the router ${first.router} of ${network.name} does not have the expected code`);
}
