import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import { hasNetworkPath } from "./network-path.ts";

/** The known paths and networks, one of which is suggested for a misspelt path. */
export interface Routes {
  readonly paths: readonly string[];
  readonly networks: Networks;
}

/** Longest path that is compared with the known ones: the cost grows with the product of both lengths. */
const comparedMax = 100;

/** Suggests a path or a network: `/rpc/API/GetSwapPrise` → a path; `/polgon/rpc/Marketplace/GetOrders` → a network. */
export function suggestPath(path: string, { paths, networks }: Routes): string | undefined {
  if (path.length > comparedMax) return undefined;
  const [, network, rest] = /^\/([^/]+)(\/rpc\/.*)$/.exec(path) ?? [];
  if (network !== undefined && rest !== undefined && network !== "rpc") {
    if (paths.includes(rest)) return adviseNetwork(network, rest, networks);
    return adviseMethod(rest, paths, `/${network}`);
  }
  return adviseMethod(path, paths, "");
}

function adviseNetwork(network: string, rest: string, networks: Networks): string {
  const [, , service = ""] = rest.split("/");
  if (!hasNetworkPath(service)) return `this service has no path for networks: use ${rest}`;
  const names = networks.all.map(({ name }) => name);
  const near = suggest(network, names);
  if (near !== undefined) return `this host does not serve "${network}": did you mean "${near}"?`;
  return `this host does not serve "${network}"; it serves ${networks.describe()}`;
}

function adviseMethod(path: string, paths: readonly string[], prefix: string): string {
  const near = suggest(path, paths);
  return near === undefined
    ? "paths are /rpc/<Service>/<Method>; Marketplace and Indexer also accept /<network> in front"
    : `did you mean ${prefix}${near}?`;
}
