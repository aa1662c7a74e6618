import type { Database } from "../../base/storage/database.ts";
import { DatabaseFault } from "../../base/storage/fault.ts";
import type { Deriver } from "../../chain/follower/derive/deriver.ts";
import { seaportOf } from "../../chain/networks/markets.ts";
import type { Network } from "../../chain/networks/network.ts";
import { type Chain, ChainBusy, ChainFailure } from "../../chain/rpc/chain.ts";
import { createAvailabilityDeriver } from "./availability/availability-deriver.ts";
import { AvailabilityChecker } from "./availability/checker.ts";
import { createConfiguredMarketsDeriver } from "./configured-markets-deriver.ts";
import { UnknownCurrencyResolver } from "./currencies/unknown-currency-resolver.ts";
import { type RateEvents, RateReader } from "./rates/rate-reader.ts";
import type { Conduits } from "./seaport/conduits.ts";
import { createSeaportDeriver } from "./seaport/seaport-deriver.ts";
import { createSequenceMarketDeriver } from "./sequence-market/sequence-market-deriver.ts";

interface OpenMarketsOptions {
  readonly database: Database;
  readonly networks: readonly Network[];
  readonly chainOf: (chainId: number) => Promise<Chain>;
  readonly events: MarketEvents;
}

/** Failures that are retried. */
export interface MarketEvents extends RateEvents {
  /** The currencies of orders could not be read. */
  readonly currenciesFailed: (chainId: number, err: unknown) => void;
  /** The availability of orders could not be checked. */
  readonly orderChecksFailed: (chainId: number, err: unknown) => void;
}

interface OpenMarkets extends AsyncDisposable {
  /** Derivers of orders, in the order in which they must run: each sees what those before it have written. */
  readonly derivers: readonly Deriver[];
}

/** Derives orders from the followed networks that configure markets. */
export function openMarkets({ database, networks, chainOf, events }: OpenMarketsOptions): OpenMarkets {
  const withMarkets = networks.filter(({ markets, follow }) => markets.length > 0 && follow !== undefined);
  const chainIds = withMarkets.map(({ chainId }) => chainId);
  const currencies = new UnknownCurrencyResolver(
    { database, chainOf, onFailure: events.currenciesFailed },
    chainIds,
  );
  const checker = new AvailabilityChecker(
    { database, chainOf, onFailure: events.orderChecksFailed },
    chainIds,
  );
  const rates = new RateReader({ database, chainOf, events }, networks);
  const onUnknownCurrency = (chainId: number): void => currencies.wake(chainId);
  return {
    derivers: [
      createSequenceMarketDeriver(withMarkets, onUnknownCurrency),
      createSeaportDeriver({
        networks: withMarkets,
        conduitsOf: cachedConduits(withMarkets, chainOf),
        onUnknownCurrency,
      }),
      createAvailabilityDeriver({
        database,
        markets: new Map(
          withMarkets.map(({ chainId, markets }) => [chainId, markets.map(({ address }) => address)]),
        ),
        wake: (chainId, isBehind) => checker.wake(chainId, isBehind),
      }),
      createConfiguredMarketsDeriver(
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

/** Reads the conduits of each chain once. If the chain cannot be queried, throws DatabaseFault, so that the follower retries the block. */
function cachedConduits(
  networks: readonly Network[],
  chainOf: (chainId: number) => Promise<Chain>,
): (chainId: number) => Promise<Conduits> {
  const cache = new Map<number, Promise<Conduits>>();
  const addresses = new Map(networks.map(({ chainId, markets }) => [chainId, seaportOf(markets)?.address]));

  async function read(chainId: number): Promise<Conduits> {
    try {
      const { queryConduits } = await import("./seaport/viem/query-seaport.ts");
      const seaport = addresses.get(chainId) ?? "";
      return await queryConduits({ chain: await chainOf(chainId), seaport, blockHash: undefined });
    } catch (err) {
      cache.delete(chainId);
      if (!(err instanceof ChainFailure || err instanceof ChainBusy)) throw err;
      throw new DatabaseFault("the conduit controller of Seaport could not be read from the chain", {
        cause: err,
      });
    }
  }

  return (chainId) => {
    const conduits = cache.get(chainId) ?? read(chainId);
    cache.set(chainId, conduits);
    return conduits;
  };
}
