import { CallReverted, type Chain, ChainFailure, type Hex } from "../chains/chain.ts";
import type { Network } from "../networks/network.ts";
import type { Offer, OfferAsk } from "./offer.ts";
import type { Route } from "./swap.ts";
import { SwapRefusal } from "./swap-refusal.ts";
import type { Conduct, Finding } from "./viem/lens.ts";

/** What the chain itself knows of a swap: the user's means, and the cheapest offer of the network's exchanges. */
export interface OnChain {
  readonly balance: bigint;
  readonly offer: Offer | undefined;
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
  const { route, balance } = finding;
  checkCode(network, route, finding.codeHash);
  return { balance, offer: route === undefined ? undefined : offerOf(route, finding, ask, deadlineSeconds) };
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
      const deadline = timestamp + BigInt(deadlineSeconds);
      return writeTransaction({ route, ask, maxPrice, user, deadline });
    },
  };
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
