import type { MetadataHandlers } from "../../../generated/server/metadata.ts";
import type { Networks } from "../../networks/networks.ts";
import { collectionProperties } from "../../records/properties/collection-properties.ts";
import { inferFilter } from "../../records/properties/infer-filter.ts";
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
  return async (_ctx, req) => {
    const { chainId } = networkOf(networks, req);
    const properties = await collectionProperties(database, chainId, req.contractAddress);
    return { filters: properties.map(inferFilter) };
  };
}
