import { RequestRejection } from "../../base/request-rejection.ts";
import { uint256Max } from "../../base/uint256.ts";
import type { Exchange } from "../../chain/networks/exchanges.ts";
import type { Network } from "../../chain/networks/network.ts";
import { CallReverted, type Chain, ChainFailure, type Hex } from "../../chain/rpc/chain.ts";
import { type Offer, type OfferRequest, type Plan, priceImpactPercent } from "./swap.ts";
import type { LensResult, Split, TransferBehaviour } from "./viem/lens.ts";

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
 * Throws RequestRejection for a currency that cannot be swapped at all, and ChainFailure.
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

function checkBehaviour(field: string, currency: Hex, behaviour: TransferBehaviour): void {
  const problem = problems[behaviour];
  if (problem !== undefined) throw new RequestRejection(`/${field}: ${currency} ${problem}`);
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

/** Gas of each pool that a split uses more than the single route: 88,000 to 100,000 if the price crosses few ticks. */
const gasPerPool = 100_000n;
/** Two routes revert if either price moves, so a split must save more than `price / minSavingDivisor` after gas. */
const minSavingDivisor = 1_000n;

/** Chooses the cheapest single route, or a split if that saves more than its gas costs. */
export function choosePlan(
  { route, allowance, split }: LensResult,
  gasPrice: bigint | undefined,
): Plan | undefined {
  const single: Plan | undefined =
    route === undefined
      ? undefined
      : { exchange: route.exchange, routes: [route], price: route.price, allowance };
  if (split === undefined || single === undefined) return split ?? single;
  const saving = single.price - split.price;
  const cost = gasPrice === undefined ? undefined : costOfGas(split, single, gasPrice);
  return isWorthwhile(saving, single.price, cost) ? split : single;
}

/** Where the cost of gas in the sold currency is not known, a split must save 1 %. */
function isWorthwhile(saving: bigint, price: bigint, cost: bigint | undefined): boolean {
  return cost === undefined ? saving >= price / 100n : saving - cost > price / minSavingDivisor;
}

/** In the sold currency; undefined if no pool converts the native coin. */
function costOfGas(split: Split, single: Plan, gasPrice: bigint): bigint | undefined {
  if (split.coinPrice === 0n) return undefined;
  const pools = BigInt(Math.max(poolsOf(split) - poolsOf(single), 0));
  return (pools * gasPerPool * gasPrice * split.coinPrice) / coinProbe;
}

/** The amount of native coin whose price the lens reads. */
const coinProbe = 10n ** 15n;

function poolsOf({ routes }: Plan): number {
  return routes.reduce((sum, { tokens }) => sum + tokens.length - 1, 0);
}

/** Splits compare rough costs, so an old price of gas is good enough. In milliseconds. */
const maxAgeMs = 15_000;

interface KnownPrice {
  readonly price: Promise<bigint | undefined>;
  /** Time of the request. */
  readonly time: number;
}

/** The prices of gas on all chains, in the smallest unit of the native coin. */
export class GasPrices {
  readonly #known = new Map<number, KnownPrice>();

  /** Returns undefined if the nodes do not report a price. Never rejects. */
  of(chainId: number, chain: Chain): Promise<bigint | undefined> {
    const known = this.#known.get(chainId);
    if (known !== undefined && performance.now() - known.time < maxAgeMs) return known.price;
    const price = readGasPrice(chain);
    this.#known.set(chainId, { price, time: performance.now() });
    return price;
  }
}

async function readGasPrice(chain: Chain): Promise<bigint | undefined> {
  try {
    const price = await chain.request("eth_gasPrice", []);
    return typeof price === "string" && /^0x[0-9a-f]{1,32}$/i.test(price) ? BigInt(price) : undefined;
  } catch {
    // Without a price, splits must save more.
    return undefined;
  }
}
