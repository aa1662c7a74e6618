import type { Handlers } from "../../../generated/server.ts";
import type { VersionResponse } from "../../../generated/types.ts";
import type { ServiceName } from "../../base/config/service-names.ts";
import type { Queries } from "../../base/storage/database.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { Chains } from "../../chain/rpc/chains.ts";
import type { StateVersions } from "../../market/etags/keys.ts";
import { storedRates } from "../../market/records/currencies/stored-rates.ts";
import type { Swaps } from "../../wallets/swaps/swaps.ts";
import type { WebhooksFor } from "../../webhooks/webhooks.ts";
import { getSwapPrice } from "./API/GetSwapPrice.ts";
import { getSwapQuote } from "./API/GetSwapQuote.ts";
import { isValidTypedDataSignature } from "./API/IsValidTypedDataSignature.ts";
import { getAudience } from "./Builder/GetAudience.ts";
import { listContractSources } from "./Builder/ListContractSources.ts";
import type { CallContext } from "./call-context.ts";
import { ping } from "./health/Ping.ts";
import { version } from "./health/Version.ts";
import { indexerHandlers } from "./Indexer/indexer.ts";
import { getFloorOrder } from "./Marketplace/GetFloorOrder.ts";
import { getHighestPriceOfferForCollectible } from "./Marketplace/GetHighestPriceOfferForCollectible.ts";
import { getOrders } from "./Marketplace/GetOrders.ts";
import { listCollectibles } from "./Marketplace/ListCollectibles.ts";
import { tokenCollectionFilters } from "./Metadata/TokenCollectionFilters.ts";

export interface HandlerDependencies {
  /** For records that all callers share, such as rates. Handlers use `ctx.host.database` for everything else. */
  readonly database: Queries;
  readonly networks: Networks;
  readonly chains: Chains;
  readonly swaps: Swaps;
  readonly webhooksFor: WebhooksFor;
  readonly state: StateVersions;
  readonly versions: VersionResponse["version"];
}

/** The handlers of every method of the contract. A missing method is a compile error. */
export function createHandlers({
  database,
  networks,
  chains,
  swaps,
  webhooksFor,
  state,
  versions,
}: HandlerDependencies): Handlers<CallContext> {
  const market = { networks, rates: storedRates(database, networks.all), state };
  const health = { Ping: ping, Version: version(versions) };
  return {
    API: {
      ...health,
      IsValidTypedDataSignature: isValidTypedDataSignature({ networks, chains }),
      GetSwapPrice: getSwapPrice({ networks, swaps }),
      GetSwapQuote: getSwapQuote({ networks, swaps }),
    },
    Builder: {
      ...health,
      ListContractSources: listContractSources(),
      GetAudience: getAudience(),
    },
    Metadata: { ...health, TokenCollectionFilters: tokenCollectionFilters({ networks, state }) },
    Marketplace: {
      ...health,
      GetOrders: getOrders(market),
      ListCollectibles: listCollectibles(market),
      GetFloorOrder: getFloorOrder(market),
      GetHighestPriceOfferForCollectible: getHighestPriceOfferForCollectible(market),
    },
    Indexer: { ...health, ...indexerHandlers({ networks, webhooksFor }) },
  };
}

/** Returns the handlers of the hosted services. The paths of the others are unknown to the host. */
export function selectServices<Host>(
  handlers: Handlers<Host>,
  services: readonly ServiceName[],
): Partial<Handlers<Host>> {
  // A service that is missing in `ServiceName` is a compile error.
  const all: Record<ServiceName, unknown> = handlers satisfies Record<keyof Handlers, unknown>;
  return Object.fromEntries(services.map((service: keyof Handlers) => [service, all[service]]));
}
