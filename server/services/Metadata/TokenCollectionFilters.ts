import type { MetadataHandlers } from "../../../generated/server/metadata.ts";
import type { Networks } from "../../networks/networks.ts";
import { collectionFilters } from "../../records/properties/collection-filters.ts";
import type { Queries } from "../../storage/database.ts";
import { networkOf } from "../call-network.ts";

export interface Ports {
  readonly database: Queries;
  readonly networks: Networks;
}

export function tokenCollectionFilters({
  database,
  networks,
}: Ports): MetadataHandlers["TokenCollectionFilters"] {
  const filtersOf = collectionFilters(database);
  return async (_ctx, req) => {
    const { chainId } = networkOf(networks, req);
    return { filters: [...(await filtersOf(chainId, req.contractAddress))] };
  };
}
