import type { Handlers } from "../../../generated/server.ts";
import type { VersionResponse } from "../../../generated/types.ts";
import type { ServiceName } from "../../base/config/config.ts";
import type { Queries } from "../../base/storage/database.ts";
import { ContractTypes } from "../../chain/contract-types/contract-types.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { Chains } from "../../chain/rpc/chains.ts";
import type { StateVersions } from "../../market/etags/market-versions.ts";
import { storedRates } from "../../market/records/currencies/currency.ts";
import type { Swaps } from "../../wallets/swaps/swaps.ts";
import type { EventStreams } from "../../webhooks/streams/event-streams.ts";
import type { WebhooksFor } from "../../webhooks/webhooks.ts";
import { apiHandlers } from "./API/api.ts";
import { builderHandlers } from "./Builder/builder.ts";
import type { CallContext } from "./call-context.ts";
import { indexerHandlers } from "./Indexer/indexer.ts";
import { marketplaceHandlers } from "./Marketplace/marketplace.ts";
import { metadataHandlers } from "./Metadata/metadata.ts";
import { MarketReads } from "./market-reads.ts";

export interface HandlerDependencies {
  /** For records that all callers share, such as rates. Handlers use `ctx.context.database` for everything else. */
  readonly database: Queries;
  readonly networks: Networks;
  readonly chains: Chains;
  readonly swaps: Swaps;
  readonly webhooksFor: WebhooksFor;
  readonly streams: EventStreams;
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
  streams,
  state,
  versions,
}: HandlerDependencies): Handlers<CallContext> {
  const rates = storedRates(database, networks.all);
  const reads = new MarketReads(networks, state);
  const contractTypes = new ContractTypes();
  const health = {
    /** Shows that the service is reachable and can read requests. */
    Ping: () => ({ status: true }),
    Version: () => ({ version: versions }),
  };
  return {
    API: { ...health, ...apiHandlers({ networks, chains, swaps }) },
    Builder: { ...health, ...builderHandlers() },
    Metadata: { ...health, ...metadataHandlers({ networks, chains, contractTypes, reads }) },
    Marketplace: { ...health, ...marketplaceHandlers({ networks, chains, contractTypes, rates, reads }) },
    Indexer: {
      ...health,
      ...indexerHandlers({ networks, webhooksFor, streams, chains, contractTypes, reads }),
    },
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
