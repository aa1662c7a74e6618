import type { Networks } from "../networks/networks.ts";

/** Services that have an address for each network: `/<network>/rpc/Marketplace/GetOrders`. */
const networkServices: ReadonlySet<string> = new Set(["Marketplace", "Indexer"]);

/**
 * The path of a call without the network in front of it: `/polygon/rpc/Marketplace/GetOrders` → `/rpc/Marketplace/GetOrders`. A
 * network that this host does not serve, or one before a service that has none, stays, and is then no path of the API.
 */
export function callPath(path: string, networks: Networks): string {
  const [, network = "", rest = "", service = ""] = /^\/([^/]+)(\/rpc\/([^/]+)\/[^/]*)$/.exec(path) ?? [];
  if (!networkServices.has(service) || networks.find(network) === undefined) return path;
  return rest;
}
