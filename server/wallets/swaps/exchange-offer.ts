import type { Exchange } from "../../chain/networks/exchanges.ts";
import type { Network } from "../../chain/networks/network.ts";
import { CallReverted, type Chain, ChainFailure, type Hex } from "../../chain/rpc/chain.ts";
import type { Offer, OfferAsk } from "./offer.ts";
import type { Route } from "./swap.ts";
import { SwapRefusal } from "./swap-refusal.ts";
import type { Conduct, Finding } from "./viem/lens.ts";

/** What the chain itself knows of a swap: the user's means, and the cheapest offer of the network's exchanges. */
export interface OnChain {
  readonly balance: bigint;
  readonly offer: Offer | undefined;
  /** Exchanges that were not asked, because their routers have not the code that is expected. */
  readonly others: readonly Exchange[];
}

/** One call to a node. A quote can be executed until so many seconds after the latest block. Throws SwapRefusal for a currency that cannot be swapped anywhere, and ChainFailure. */
export async function askExchanges(
  chain: Chain,
  network: Network,
  ask: OfferAsk,
  deadlineSeconds: number,
): Promise<OnChain> {
  const finding = await look(chain, network, ask);
  checkConduct("sellCurrencyAddress", ask.sell, finding.sell);
  checkConduct("buyCurrencyAddress", ask.buy, finding.buy);
  const { route, balance, others } = finding;
  checkRouters(network, others);
  return {
    balance,
    others,
    offer: route === undefined ? undefined : offerOf(route, finding, ask, deadlineSeconds),
  };
}

function offerOf(
  route: Route,
  { allowance, timestamp }: Finding,
  ask: OfferAsk,
  deadlineSeconds: number,
): Offer {
  return {
    price: route.price,
    to: route.exchange.router as Hex,
    allowance,
    write: async (maxPrice, user) => {
      const { writeTransaction } = await import("./viem/transaction.ts");
      const deadline = laterOf(timestamp, BigInt(Math.floor(Date.now() / 1_000))) + BigInt(deadlineSeconds);
      return writeTransaction({ route, ask, maxPrice, user, deadline });
    },
  };
}

/** A chain that mines on demand may have had its latest block hours ago, and its next one has the time of then. */
function laterOf(block: bigint, clock: bigint): bigint {
  return block > clock ? block : clock;
}

async function look(chain: Chain, network: Network, { signal, ...ask }: OfferAsk): Promise<Finding> {
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

/** Callers approve the router: one that is not what the operator meant is not asked, and where none is left nothing is. */
function checkRouters(network: Network, others: Finding["others"]): void {
  const [first] = others;
  if (first !== undefined && others.length === network.exchanges.length)
    throw new ChainFailure(`the router ${first.router} of ${network.name} has not the code that is expected`);
}
