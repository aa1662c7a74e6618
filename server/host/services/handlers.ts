import type { Handlers } from "../../../generated/server.ts";
import type { VersionResponse } from "../../../generated/types.ts";
import type { ServiceName } from "../../base/config/config.ts";
import type { Queries } from "../../base/storage/database.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { Chains } from "../../chain/rpc/chains.ts";
import type { StateVersions } from "../../market/etags/market-versions.ts";
import { storedRates } from "../../market/records/currencies/currency.ts";
import type { Swaps } from "../../wallets/swaps/swaps.ts";
import type { WebhooksFor } from "../../webhooks/webhooks.ts";
import { apiHandlers } from "./API/api.ts";
import { builderHandlers } from "./Builder/builder.ts";
import type { CallContext } from "./call-context.ts";
import { indexerHandlers } from "./Indexer/indexer.ts";
import { marketplaceHandlers } from "./Marketplace/marketplace.ts";
import { metadataHandlers } from "./Metadata/metadata.ts";

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
  const rates = storedRates(database, networks.all);
  const health = {
    /** Shows that the service is reachable and can read requests. */
    Ping: () => ({ status: true }),
    Version: () => ({ version: versions }),
  };
  return {
    API: { ...health, ...apiHandlers({ networks, chains, swaps }) },
    Builder: { ...health, ...builderHandlers() },
    Metadata: { ...health, ...metadataHandlers({ networks, state }) },
    Marketplace: { ...health, ...marketplaceHandlers({ networks, rates, state }) },
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
