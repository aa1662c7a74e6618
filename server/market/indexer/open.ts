import type { Database } from "../../base/storage/database.ts";
import type { Deriver } from "../../chain/follower/derive/deriver.ts";
import type { Network } from "../../chain/networks/network.ts";
import type { Chain } from "../../chain/rpc/chain.ts";
import { AvailabilityChecker } from "./availability/checker.ts";
import { createAvailabilityDeriver } from "./availability/deriver.ts";
import { UnknownCurrencies } from "./currencies/unknown-currencies.ts";
import { createNamedMarketsDeriver } from "./named/deriver.ts";
import { type RateEvents, RateReader } from "./rates/rate-reader.ts";
import { createSeaportDeriver } from "./seaport/deriver.ts";
import { keptConduits } from "./seaport/kept-conduits.ts";
import { createSequenceMarketDeriver } from "./sequence/deriver.ts";

export interface OpenMarketsOptions {
  readonly database: Database;
  readonly networks: readonly Network[];
  readonly chainOf: (chainId: number) => Promise<Chain>;
  readonly events: MarketEvents;
}

/** What is tried again. */
export interface MarketEvents extends RateEvents {
  /** What orders are priced in could not be asked. */
  readonly currenciesUnread: (chainId: number, err: unknown) => void;
  /** Whether makers of orders still have what they promise could not be read. */
  readonly ordersUnchecked: (chainId: number, err: unknown) => void;
}

export interface OpenMarkets extends AsyncDisposable {
  /** What the follower of chains tells, becomes orders: in this order, so that what one makes the next one sees. */
  readonly derivers: readonly Deriver[];
}

/** Orders that are read off the chain: of the networks that name markets and are followed. */
export function openMarkets({ database, networks, chainOf, events }: OpenMarketsOptions): OpenMarkets {
  const withMarkets = networks.filter(({ markets, follow }) => markets.length > 0 && follow !== undefined);
  const chainIds = withMarkets.map(({ chainId }) => chainId);
  const currencies = new UnknownCurrencies(
    { database, chainOf, onFailure: events.currenciesUnread },
    chainIds,
  );
  const checker = new AvailabilityChecker({ database, chainOf, onFailure: events.ordersUnchecked }, chainIds);
  const rates = new RateReader({ database, chainOf, events }, networks);
  const onUnknownCurrency = (chainId: number): void => currencies.wake(chainId);
  return {
    derivers: [
      createSequenceMarketDeriver(withMarkets, onUnknownCurrency),
      createSeaportDeriver({
        networks: withMarkets,
        conduitsOf: keptConduits(withMarkets, chainOf),
        onUnknownCurrency,
      }),
      createAvailabilityDeriver({
        database,
        markets: new Map(
          withMarkets.map(({ chainId, markets }) => [chainId, markets.map(({ address }) => address)]),
        ),
        wake: (chainId, isBehind) => checker.wake(chainId, isBehind),
      }),
      createNamedMarketsDeriver(
        database,
        networks.filter(({ follow }) => follow !== undefined),
      ),
    ],
    async [Symbol.asyncDispose]() {
      await rates[Symbol.asyncDispose]();
      await currencies[Symbol.asyncDispose]();
      await checker[Symbol.asyncDispose]();
    },
  };
}
