import type { Chain } from "../chains/chain.ts";
import type { Deriver } from "../follower/derive/deriver.ts";
import type { Network } from "../networks/network.ts";
import type { Database } from "../storage/database.ts";
import { UnknownCurrencies } from "./currencies/unknown-currencies.ts";
import { createSequenceMarketDeriver } from "./sequence/deriver.ts";

export interface OpenMarketsOptions {
  readonly database: Database;
  readonly networks: readonly Network[];
  readonly chainOf: (chainId: number) => Promise<Chain>;
  /** What orders are priced in could not be asked; it is tried again. */
  readonly onFailure: (chainId: number, err: unknown) => void;
}

export interface OpenMarkets extends AsyncDisposable {
  /** What the follower of chains tells, becomes orders. */
  readonly deriver: Deriver;
}

/** Orders that are read off the chain: of the networks that name markets and are followed. */
export function openMarkets({ database, networks, chainOf, onFailure }: OpenMarketsOptions): OpenMarkets {
  const withMarkets = networks.filter(({ markets, follow }) => markets.length > 0 && follow !== undefined);
  const currencies = new UnknownCurrencies(
    { database, chainOf, onFailure },
    withMarkets.map(({ chainId }) => chainId),
  );
  return {
    deriver: createSequenceMarketDeriver(withMarkets, (chainId) => currencies.wake(chainId)),
    [Symbol.asyncDispose]: () => currencies[Symbol.asyncDispose](),
  };
}
