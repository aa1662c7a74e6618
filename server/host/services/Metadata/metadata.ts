import type { MetadataHandlers } from "../../../../generated/server.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import { collectionKeys, type StateVersions } from "../../../market/etags/market-versions.ts";
import { collectionFilters } from "../../../market/records/properties/collection-filters.ts";
import { type CallContext, networkOf, sameState } from "../call-context.ts";

interface MetadataDependencies {
  readonly networks: Networks;
  readonly state: StateVersions;
}

/** The methods of the service, except those that all services share. */
export function metadataHandlers({
  networks,
  state,
}: MetadataDependencies): Omit<MetadataHandlers<CallContext>, "Ping" | "Version"> {
  const filtersOf = collectionFilters();
  return {
    TokenCollectionFilters: async (ctx, req) => {
      const { chainId } = networkOf(networks, req);
      const keys = collectionKeys(chainId, [req.contractAddress], ["collectible"]);
      const same = sameState(ctx, state.versionOf(keys));
      if (same) return same;
      return { filters: [...(await filtersOf(ctx.host.database, chainId, req.contractAddress))] };
    },
  };
}
