import type { Context } from "koa";
import type { Network } from "../../chain/networks/network.ts";
import type { Networks } from "../../chain/networks/networks.ts";

/** Services that have an address for each network: `/<network>/rpc/Marketplace/GetOrders`. */
export const networkServices: ReadonlySet<string> = new Set(["Marketplace", "Indexer"]);

export function hasNetworkPath(service: string): boolean {
  return networkServices.has(service);
}

/** A call's address: the path of its method, and the network that stands in front of it. */
export interface CallPath {
  readonly path: string;
  /** Undefined: the body's, or else the preferred one. */
  readonly network: Network | undefined;
}

/**
 * `/polygon/rpc/Marketplace/GetOrders` → `/rpc/Marketplace/GetOrders` on Polygon. A network that this host does not serve, or one
 * before a service that has none, stays, and is then no path of the API.
 */
export function parseCallPath(path: string, networks: Networks): CallPath {
  const here = { path, network: undefined };
  if (path.startsWith("/rpc/")) return here;
  const [, name = "", rest = "", service = ""] = /^\/([^/]+)(\/rpc\/([^/]+)\/[^/]*)$/.exec(path) ?? [];
  const network = hasNetworkPath(service) ? networks.find(name) : undefined;
  return network === undefined ? here : { path: rest, network };
}

/** The path of a call's method; the network in front of it is kept for `pathNetworkOf`. */
export function methodPathOf(ctx: Context, networks: Networks): string {
  const { path, network } = parseCallPath(ctx.path, networks);
  if (network !== undefined) ctx.state["network"] = network;
  return path;
}

export function pathNetworkOf(ctx: Context): Network | undefined {
  return ctx.state["network"] as Network | undefined;
}
