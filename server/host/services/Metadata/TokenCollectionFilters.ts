import type { MetadataHandlers } from "../../../../generated/server.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import { collectionKeys, type StateVersions } from "../../../market/etags/keys.ts";
import { collectionFilters } from "../../../market/records/properties/collection-filters.ts";
import { type CallContext, networkOf, sameState } from "../call-context.ts";

export interface MetadataDependencies {
  readonly networks: Networks;
  readonly state: StateVersions;
}

export function tokenCollectionFilters({
  networks,
  state,
}: MetadataDependencies): MetadataHandlers<CallContext>["TokenCollectionFilters"] {
  const filtersOf = collectionFilters();
  return async (ctx, req) => {
    const { chainId } = networkOf(networks, req);
    const keys = collectionKeys(chainId, [req.contractAddress], ["collectible"]);
    const same = sameState(ctx, state.versionOf(keys));
    if (same) return same;
    return { filters: [...(await filtersOf(ctx.host.database, chainId, req.contractAddress))] };
  };
}
