import { uint256Max } from "../../base/uint256.ts";
import type { Exchange } from "../../chain/networks/exchanges.ts";
import type { Network } from "../../chain/networks/network.ts";
import { CallReverted, type Chain, ChainFailure, type Hex } from "../../chain/rpc/chain.ts";
import { choosePlan } from "./choose-plan.ts";
import type { GasPrices } from "./gas-prices.ts";
import type { Offer, OfferRequest } from "./offer.ts";
import { priceImpactPercent } from "./price-impact.ts";
import type { Plan } from "./swap.ts";
import { SwapRejection } from "./swap-rejection.ts";
import type { LensResult, TransferBehaviour } from "./viem/lens.ts";

/** The user's balance and the cheapest offer of the network's exchanges. */
export interface ExchangeResult {
  readonly balance: bigint;
  readonly offer: Offer | undefined;
  /** Exchanges that were skipped, because their router has unexpected code. */
  readonly unexpectedRouters: readonly Exchange[];
}

export interface OfferSettings {
  readonly deadlineSeconds: number;
  readonly gasPrices: GasPrices;
}

/**
 * Finds the cheapest offer in one call to a node. A quote can be executed until `deadlineSeconds` after the latest block.
 * Throws SwapRejection for a currency that cannot be swapped at all, and ChainFailure.
 */
export async function findExchangeOffer(
  chain: Chain,
  network: Network,
  request: OfferRequest,
  { deadlineSeconds, gasPrices }: OfferSettings,
): Promise<ExchangeResult> {
  // Both are part of one request to a node.
  const [result, gasPrice] = await Promise.all([
    runLens(chain, network, request),
    gasPrices.of(network.chainId, chain),
  ]);
  checkBehaviour("sellCurrencyAddress", request.sell, result.sell);
  checkBehaviour("buyCurrencyAddress", request.buy, result.buy);
  const { balance, unexpectedRouters, timestamp } = result;
  checkRouters(network, unexpectedRouters);
  const plan = choosePlan(result, gasPrice);
  return {
    balance,
    unexpectedRouters,
    offer: plan === undefined ? undefined : offerOf(plan, timestamp, request, deadlineSeconds),
  };
}

function offerOf(plan: Plan, timestamp: bigint, request: OfferRequest, deadlineSeconds: number): Offer {
  const wrapped = wrappedCoinOf(plan);
  if (wrapped !== undefined) return wrappingOffer(plan, wrapped, request);
  return {
    price: plan.price,
    to: plan.exchange.router as Hex,
    allowance: plan.allowance,
    hasFixedPrice: false,
    priceImpactPercent: priceImpactPercent(plan),
    encodeCall: async (maxPrice, user) => {
      const { encodeSwap } = await import("./viem/transaction.ts");
      const deadline = laterOf(timestamp, BigInt(Math.floor(Date.now() / 1_000))) + BigInt(deadlineSeconds);
      return encodeSwap({ plan, request, maxPrice, user, deadline });
    },
  };
}

/** Returns undefined for a swap through pools. */
function wrappedCoinOf({ routes: [{ tokens }] }: Plan): Hex | undefined {
  return tokens.length === 1 ? tokens[0] : undefined;
}

function wrappingOffer(plan: Plan, wrapped: Hex, request: OfferRequest): Offer {
  return {
    price: plan.price,
    to: wrapped,
    // The contract only touches its caller's own balance.
    allowance: uint256Max,
    hasFixedPrice: true,
    priceImpactPercent: undefined,
    encodeCall: async () => {
      const { encodeWrapping } = await import("./viem/wrapping.ts");
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

function checkBehaviour(field: string, currency: Hex, behaviour: TransferBehaviour): void {
  const problem = problems[behaviour];
  if (problem !== undefined) throw new SwapRejection(`${field}: ${currency} ${problem}`);
}

const problems: Readonly<Record<TransferBehaviour, string | undefined>> = {
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
