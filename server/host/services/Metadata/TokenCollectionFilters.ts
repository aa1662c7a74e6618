import type { MetadataHandlers } from "../../../../generated/server/metadata.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import { collectionFilters } from "../../../market/records/properties/collection-filters.ts";
import type { CallContext } from "../call-context.ts";
import { networkOf } from "../call-network.ts";

export interface MetadataPorts {
  readonly networks: Networks;
}

export function tokenCollectionFilters({
  networks,
}: MetadataPorts): MetadataHandlers<CallContext>["TokenCollectionFilters"] {
  const filtersOf = collectionFilters();
  return async (ctx, req) => {
    const { chainId } = networkOf(networks, req);
    return { filters: [...(await filtersOf(ctx.host.database, chainId, req.contractAddress))] };
  };
}
