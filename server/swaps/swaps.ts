import { CallReverted, type Chain, ChainFailure, type Hex } from "../chains/chain.ts";
import type { Chains } from "../chains/chains.ts";
import type { Network } from "../networks/network.ts";
import { writeApproval } from "./approval.ts";
import { nativeCoin } from "./currency.ts";
import { maxPriceOf } from "./max-price.ts";
import type { Route, SwapAsk, SwapPrice, SwapQuote } from "./swap.ts";
import { NoSwaps, SwapRefusal } from "./swap-refusal.ts";
import type { Conduct, Finding } from "./viem/lens.ts";

export interface QuoteAsk extends SwapAsk {
  /** Who sends the swap, and gets what is bought. Lower case. */
  readonly user: Hex;
  readonly includeApprove: boolean;
}

/** How long a quote can be executed, in seconds after the latest block. */
const deadlineSeconds = 1_200n;

const nobody: Hex = `0x${"0".repeat(40)}`;
const uint256Max = (1n << 256n) - 1n;

/**
 * Swaps of exact amounts at the cheapest price there is. All throw SwapRefusal for what cannot be swapped, NoSwaps for a network
 * without exchanges, and ChainFailure.
 */
export class Swaps {
  readonly #chains: Chains;

  constructor(chains: Chains) {
    this.#chains = chains;
  }

  /** Undefined: no route has the liquidity. */
  async price(network: Network, ask: SwapAsk, signal?: AbortSignal): Promise<SwapPrice | undefined> {
    const found = await this.#find(network, { ...ask, user: nobody }, signal);
    return found === undefined ? undefined : priceOf(found.route, ask);
  }

  /** Undefined: no route has the liquidity. It is priced anew, whatever an earlier price was. */
  async quote(network: Network, ask: QuoteAsk, signal?: AbortSignal): Promise<SwapQuote | undefined> {
    checkUser(ask.user);
    const found = await this.#find(network, ask, signal);
    if (found === undefined) return undefined;
    const { chain, route, finding } = found;
    const price = priceOf(route, ask);
    const { writeTransaction } = await import("./viem/transaction.ts");
    const deadline = finding.timestamp + deadlineSeconds;
    const to = route.exchange.router as Hex;
    const data = writeTransaction({ route, ask, maxPrice: price.maxPrice, user: ask.user, deadline });
    const isCovered = ask.sell === nativeCoin || finding.allowance >= price.maxPrice;
    const approval =
      ask.includeApprove && !isCovered
        ? await writeApproval(
            chain,
            {
              token: ask.sell,
              owner: ask.user,
              spender: to,
              amount: price.maxPrice,
              allowance: finding.allowance,
            },
            signal,
          )
        : undefined;
    return { ...price, balance: finding.balance, to, data, approval };
  }

  async #find(
    network: Network,
    ask: SwapAsk & { readonly user: Hex },
    signal: AbortSignal | undefined,
  ): Promise<{ readonly chain: Chain; readonly route: Route; readonly finding: Finding } | undefined> {
    checkAsk(ask);
    if (network.exchanges.length === 0)
      throw new NoSwaps(`no exchange of ${network.name} is configured here`);
    const chain = await this.#chains.of(network);
    const finding = await look(chain, network, ask, signal);
    checkConduct("sellCurrencyAddress", ask.sell, finding.sell);
    checkConduct("buyCurrencyAddress", ask.buy, finding.buy);
    const { route } = finding;
    checkCode(network, route, finding.codeHash);
    return route === undefined ? undefined : { chain, route, finding };
  }
}

async function look(
  chain: Chain,
  network: Network,
  ask: SwapAsk & { readonly user: Hex },
  signal: AbortSignal | undefined,
): Promise<Finding> {
  const { lookForRoute } = await import("./viem/lens.ts");
  try {
    return await lookForRoute(chain, network, ask, signal);
  } catch (err) {
    // A token without end eats the gas of the whole search.
    if (err instanceof CallReverted)
      throw new ChainFailure(`the nodes of ${network.name} could not finish the search for a route`, {
        cause: err,
      });
    throw err;
  }
}

function priceOf({ price }: Route, ask: SwapAsk): SwapPrice {
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

function checkConduct(field: string, currency: Hex, conduct: Conduct): void {
  const complaint = complaints[conduct];
  if (complaint !== undefined) throw new SwapRefusal(`${field}: ${currency} ${complaint}`);
}

const complaints: Readonly<Record<Conduct, string | undefined>> = {
  exact: undefined,
  takesAFee: "takes a fee from what is transferred, so that no exact amount can be swapped",
  fails: "cannot be transferred",
  noToken: "is no token on this chain",
};

/** Keccak of nothing: an account without code. */
const noCode = ["0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470", `0x${"0".repeat(64)}`];

/** Callers approve the router: it must be the one that the operator meant. */
function checkCode(network: Network, route: Route | undefined, codeHash: Hex): void {
  const exchange = route?.exchange ?? network.exchanges[0];
  if (exchange === undefined) return;
  const isOther = route !== undefined && exchange.codeHash !== undefined && exchange.codeHash !== codeHash;
  if (isOther || noCode.includes(codeHash))
    throw new ChainFailure(
      `the router ${exchange.router} of ${network.name} has not the code that is expected`,
    );
}
