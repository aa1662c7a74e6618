import { NotServed, RequestRejection } from "../../base/request-rejection.ts";
import { uint256Max } from "../../base/uint256.ts";
import type { Exchange } from "../../chain/networks/exchanges.ts";
import type { Network } from "../../chain/networks/network.ts";
import { describeMissing } from "../../chain/networks/networks.ts";
import { type Chain, ChainUnavailable, type Hex, unlessReverted } from "../../chain/rpc/chain.ts";
import type { Chains } from "../../chain/rpc/chains.ts";
import { AggregatorFailure, fetchAggregatorOffer } from "./aggregator.ts";
import { findExchangeOffer } from "./exchange-offer.ts";
import {
  cheapest,
  maxPriceOf,
  nativeCoin,
  type Offer,
  type OfferRequest,
  type SwapPrice,
  type SwapQuote,
  type SwapRequest,
} from "./swap.ts";

export interface QuoteRequest extends SwapRequest {
  /** The sender of the swap and recipient of the bought currency. Lower case. */
  readonly user: Hex;
  readonly includeApprove: boolean;
}

interface SwapSettings {
  /** How long a quote stays executable, in seconds after the latest block. */
  readonly deadlineSeconds: number;
  /** Swaps with a larger impact on the price are rejected. Default: no limit. */
  readonly maxPriceImpactPercent?: number;
  /** Called for each swap through pools that is priced. */
  readonly onPriced?: (network: Network, priceImpactPercent: number) => void;
  /** Called once for each router whose code is not the expected one. Swaps ignore that router. */
  readonly onUnexpectedRouter?: (network: Network, exchange: Exchange) => void;
}

type SwapOptions = Pick<OfferRequest, "signal" | "caller">;

interface FoundOffer {
  readonly chain: Chain;
  readonly offer: Offer;
  readonly balance: bigint;
}

/**
 * Finds the cheapest swaps of exact amounts. All methods throw RequestRejection for swaps that are impossible, NotServed for
 * networks without exchanges, and ChainFailure.
 */
export class Swaps {
  readonly #chains: Chains;
  readonly #settings: SwapSettings;
  readonly #reportedRouters = new Set<Exchange>();

  constructor(chains: Chains, settings: SwapSettings) {
    this.#chains = chains;
    this.#settings = settings;
  }

  /** Returns undefined if no route has enough liquidity. */
  async price(
    network: Network,
    request: SwapRequest,
    options: SwapOptions = {},
  ): Promise<SwapPrice | undefined> {
    const found = await this.#find(network, {
      ...request,
      user: undefined,
      ...options,
    });
    return found === undefined ? undefined : priceOf(found.offer, request);
  }

  /** Returns undefined if no route has enough liquidity. Always computes a new price. */
  async quote(
    network: Network,
    request: QuoteRequest,
    options: SwapOptions = {},
  ): Promise<SwapQuote | undefined> {
    checkUser(request.user);
    const found = await this.#find(network, { ...request, ...options });
    if (found === undefined) return undefined;
    const { chain, offer, balance } = found;
    const price = priceOf(offer, request);
    const [data, approval] = await Promise.all([
      offer.encodeCall(price.maxPrice, request.user),
      approvalOf(chain, offer, request, price.maxPrice, options.signal),
    ]);
    return { ...price, balance, to: offer.to, data, approval };
  }

  async #find(network: Network, request: OfferRequest): Promise<FoundOffer | undefined> {
    checkRequest(request);
    if (network.exchanges.length === 0 && network.aggregator === undefined)
      throw new NotServed(describeMissing(network, `no exchange of ${network.name} is configured here`));
    const chain = await this.#chains.of(network, request.caller);
    const [{ balance, offer: exchangeOffer, unexpectedRouters }, aggregatorOffer] = await Promise.all([
      findExchangeOffer(chain, network, request, this.#settings.deadlineSeconds),
      offerOfAggregator(network, request),
    ]);
    this.#reportRouters(network, unexpectedRouters);
    if (exchangeOffer === undefined && aggregatorOffer instanceof AggregatorFailure)
      throw new ChainUnavailable(
        `no exchange of ${network.name} has the liquidity, and ${aggregatorOffer.message}`,
      );
    const offer = cheapest([
      exchangeOffer,
      aggregatorOffer instanceof AggregatorFailure ? undefined : aggregatorOffer,
    ]);
    if (offer === undefined) return undefined;
    this.#checkPriceImpact(network, offer);
    return { chain, offer, balance };
  }

  #checkPriceImpact(network: Network, { priceImpactPercent: impact }: Offer): void {
    if (impact === undefined) return;
    this.#settings.onPriced?.(network, impact);
    const { maxPriceImpactPercent: max = 100 } = this.#settings;
    if (impact > max)
      throw new RequestRejection(
        `/buyAmount: the swap would worsen the price by ${impact.toFixed(1)} %, and this host allows ${max} %; buy less, or in several swaps`,
      );
  }

  #reportRouters(network: Network, unexpectedRouters: readonly Exchange[]): void {
    for (const exchange of unexpectedRouters) {
      if (this.#reportedRouters.has(exchange)) continue;
      this.#reportedRouters.add(exchange);
      this.#settings.onUnexpectedRouter?.(network, exchange);
    }
  }
}

/** Returns a failure instead of throwing: the network's own exchanges may still have an offer. */
async function offerOfAggregator(
  { aggregator, chainId }: Network,
  request: OfferRequest,
): Promise<Offer | AggregatorFailure | undefined> {
  if (aggregator === undefined) return undefined;
  try {
    return await fetchAggregatorOffer(aggregator, chainId, request);
  } catch (err) {
    if (err instanceof AggregatorFailure) return err;
    throw err;
  }
}

/** Returns undefined if no approval is needed. */
async function approvalOf(
  chain: Chain,
  offer: Offer,
  request: QuoteRequest,
  maxPrice: bigint,
  signal: AbortSignal | undefined,
): Promise<Hex | undefined> {
  if (!request.includeApprove || request.sell === nativeCoin) return undefined;
  const parties = { token: request.sell, owner: request.user, spender: offer.to };
  const allowance = offer.allowance ?? (await readAllowance(chain, parties, signal));
  return allowance >= maxPrice
    ? undefined
    : encodeApproval(chain, { ...parties, amount: maxPrice, allowance }, signal);
}

function priceOf({ price, hasFixedPrice }: Offer, request: SwapRequest): SwapPrice {
  const maxPrice = hasFixedPrice ? price : maxPriceOf(price, request.slippagePercentage);
  if (maxPrice > uint256Max) throw new RequestRejection("/buyAmount: its price exceeds 2^256 - 1");
  return { price, maxPrice, value: request.sell === nativeCoin ? maxPrice : 0n };
}

function checkRequest({ sell, buy, amount }: SwapRequest): void {
  if (amount === 0n) throw new RequestRejection("/buyAmount: expected more than 0");
  if (amount > uint256Max) throw new RequestRejection("/buyAmount: expected at most 2^256 - 1");
  if (sell === buy) throw new RequestRejection("/sellCurrencyAddress: must differ from /buyCurrencyAddress");
}

/** Routers give the lowest addresses a special meaning, so coins sent to them would be lost. */
function checkUser(user: Hex): void {
  if (BigInt(user) < 0x1_0000n)
    throw new RequestRejection("/userAddress: expected the address of an account");
}

/* The approval that lets the router take the tokens to sell. Tokens such as Tether (USDT) accept none while another is left. */

interface AllowanceParties {
  readonly token: Hex;
  readonly owner: Hex;
  readonly spender: Hex;
}

interface Approval extends AllowanceParties {
  readonly amount: bigint;
  readonly allowance: bigint;
}

/**
 * Encodes `approve(spender, amount)` after simulating it from the owner. Throws RequestRejection if the token rejects it, and ChainFailure.
 */
async function encodeApproval(chain: Chain, approval: Approval, signal?: AbortSignal): Promise<Hex> {
  const data = encodeApprove(approval.spender, approval.amount);
  if (await isAccepted(chain, approval, data, signal)) return data;
  // Some tokens, such as Tether's, require an allowance to be reset to zero before it is changed.
  const mustResetFirst =
    approval.allowance > 0n &&
    (await isAccepted(chain, approval, encodeApprove(approval.spender, 0n), signal));
  throw new RequestRejection(
    mustResetFirst
      ? "send approve(to, 0) first"
      : `/sellCurrencyAddress: the token rejects an approval by ${approval.owner}`,
  );
}

/** Whether the token accepts the approval: it returns nothing, or true. False or a revert is a rejection. */
async function isAccepted(
  chain: Chain,
  { token, owner }: Approval,
  data: Hex,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const call = chain.call({ from: owner, to: token, data, signal });
  const result = await unlessReverted<Hex | undefined>(call, undefined);
  return result === "0x" || (result !== undefined && BigInt(result.slice(0, 66)) === 1n);
}

/** Returns 0 if the token does not report its allowance. Throws ChainFailure. */
async function readAllowance(
  chain: Chain,
  { token, owner, spender }: AllowanceParties,
  signal?: AbortSignal,
): Promise<bigint> {
  const data = `0xdd62ed3e${word(owner)}${word(spender)}` as const;
  const result = await unlessReverted(chain.call({ to: token, data, signal }), "0x");
  return result.length < 66 ? 0n : BigInt(result.slice(0, 66));
}

function word(address: Hex): string {
  return address.slice(2).padStart(64, "0");
}

function encodeApprove(spender: Hex, amount: bigint): Hex {
  return `0x095ea7b3${word(spender)}${amount.toString(16).padStart(64, "0")}`;
}
