import { uint256Max } from "../../base/uint256.ts";
import type { Exchange } from "../../chain/networks/exchanges.ts";
import { toldOf } from "../../chain/networks/missing.ts";
import type { Network } from "../../chain/networks/network.ts";
import type { Chain, Hex } from "../../chain/rpc/chain.ts";
import { ChainFailure } from "../../chain/rpc/chain.ts";
import type { Chains } from "../../chain/rpc/chains.ts";
import { AggregatorFailure, askAggregator } from "./aggregator.ts";
import { readAllowance, writeApproval } from "./approval.ts";
import { nativeCoin } from "./currency.ts";
import { askExchanges } from "./exchange-offer.ts";
import { maxPriceOf } from "./max-price.ts";
import { cheapest, type Offer, type OfferAsk } from "./offer.ts";
import type { SwapAsk, SwapPrice, SwapQuote } from "./swap.ts";
import { NoSwaps, SwapRefusal } from "./swap-refusal.ts";

export interface QuoteAsk extends SwapAsk {
  /** Who sends the swap, and gets what is bought. Lower case. */
  readonly user: Hex;
  readonly includeApprove: boolean;
}

export interface SwapSettings {
  /** How long a quote can be executed, in seconds after the latest block. */
  readonly deadlineSeconds: number;
  /** Told once of each router whose code is not the one that is expected; swaps do without it. */
  readonly onOtherRouter?: (network: Network, exchange: Exchange) => void;
}

interface Found {
  readonly chain: Chain;
  readonly offer: Offer;
  readonly balance: bigint;
}

/**
 * Swaps of exact amounts at the cheapest price there is. All throw SwapRefusal for what cannot be swapped, NoSwaps for a network
 * without exchanges, and ChainFailure.
 */
export class Swaps {
  readonly #chains: Chains;
  readonly #settings: SwapSettings;
  readonly #told = new Set<Exchange>();

  constructor(chains: Chains, settings: SwapSettings) {
    this.#chains = chains;
    this.#settings = settings;
  }

  /** Undefined: no route has the liquidity. */
  async price(network: Network, ask: SwapAsk, signal?: AbortSignal): Promise<SwapPrice | undefined> {
    const found = await this.#find(network, { ...ask, user: undefined, signal });
    return found === undefined ? undefined : priceOf(found.offer, ask);
  }

  /** Undefined: no route has the liquidity. It is priced anew, whatever an earlier price was. */
  async quote(network: Network, ask: QuoteAsk, signal?: AbortSignal): Promise<SwapQuote | undefined> {
    checkUser(ask.user);
    const found = await this.#find(network, { ...ask, signal });
    if (found === undefined) return undefined;
    const { chain, offer, balance } = found;
    const price = priceOf(offer, ask);
    const [data, approval] = await Promise.all([
      offer.write(price.maxPrice, ask.user),
      approvalOf(chain, offer, ask, price.maxPrice, signal),
    ]);
    return { ...price, balance, to: offer.to, data, approval };
  }

  async #find(network: Network, ask: OfferAsk): Promise<Found | undefined> {
    checkAsk(ask);
    if (network.exchanges.length === 0 && network.aggregator === undefined)
      throw new NoSwaps(toldOf(network, `no exchange of ${network.name} is configured here`));
    const chain = await this.#chains.of(network);
    const [{ balance, offer: here, others }, elsewhere] = await Promise.all([
      askExchanges(chain, network, ask, this.#settings.deadlineSeconds),
      askElsewhere(network, ask),
    ]);
    this.#tell(network, others);
    if (here === undefined && elsewhere instanceof AggregatorFailure)
      throw new ChainFailure(`no exchange of ${network.name} has the liquidity, and ${elsewhere.message}`);
    const offer = cheapest([here, elsewhere instanceof AggregatorFailure ? undefined : elsewhere]);
    return offer === undefined ? undefined : { chain, offer, balance };
  }

  #tell(network: Network, others: readonly Exchange[]): void {
    for (const exchange of others) {
      if (this.#told.has(exchange)) continue;
      this.#told.add(exchange);
      this.#settings.onOtherRouter?.(network, exchange);
    }
  }
}

/** A failure is an answer too: the network's own exchanges do without it. */
async function askElsewhere(
  { aggregator, chainId }: Network,
  ask: OfferAsk,
): Promise<Offer | AggregatorFailure | undefined> {
  if (aggregator === undefined) return undefined;
  try {
    return await askAggregator(aggregator, chainId, ask);
  } catch (err) {
    if (err instanceof AggregatorFailure) return err;
    throw err;
  }
}

/** Undefined: there is nothing to approve. */
async function approvalOf(
  chain: Chain,
  offer: Offer,
  ask: QuoteAsk,
  maxPrice: bigint,
  signal: AbortSignal | undefined,
): Promise<Hex | undefined> {
  if (!ask.includeApprove || ask.sell === nativeCoin) return undefined;
  const parties = { token: ask.sell, owner: ask.user, spender: offer.to };
  const allowance = offer.allowance ?? (await readAllowance(chain, parties, signal));
  return allowance >= maxPrice
    ? undefined
    : writeApproval(chain, { ...parties, amount: maxPrice, allowance }, signal);
}

function priceOf({ price }: Offer, ask: SwapAsk): SwapPrice {
  const maxPrice = maxPriceOf(price, ask.slippagePercentage);
  if (maxPrice > uint256Max) throw new SwapRefusal("buyAmount: its price is more than a chain can count");
  return { price, maxPrice, value: ask.sell === nativeCoin ? maxPrice : 0n };
}

function checkAsk({ sell, buy, amount }: SwapAsk): void {
  if (amount === 0n) throw new SwapRefusal("buyAmount: expected more than 0");
  if (amount > uint256Max) throw new SwapRefusal("buyAmount: expected at most 2^256 - 1");
  if (sell === buy)
    throw new SwapRefusal("sellCurrencyAddress: expected another currency than the bought one");
}

/** Routers take the lowest addresses to be something else than an account, and what they send there is lost. */
function checkUser(user: Hex): void {
  if (BigInt(user) < 0x1_0000n) throw new SwapRefusal("userAddress: expected the address of an account");
}
