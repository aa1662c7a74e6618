import type { Context } from "koa";
import type { Network } from "../../chain/networks/network.ts";
import type { Networks } from "../../chain/networks/networks.ts";

/** Services with a path for each network: `/<network>/rpc/Marketplace/GetOrders`. */
export const networkServices: ReadonlySet<string> = new Set(["Marketplace", "Indexer"]);

export function hasNetworkPath(service: string): boolean {
  return networkServices.has(service);
}

/** A call's path, split into the path of its method and the network in front of it. */
export interface CallPath {
  readonly path: string;
  /** Undefined: the network of the body applies, or else the default network. */
  readonly network: Network | undefined;
}

/**
 * `/polygon/rpc/Marketplace/GetOrders` → `/rpc/Marketplace/GetOrders` on Polygon. A path with an unknown network, or with a network
 * before a service without network paths, is returned unchanged and matches no method.
 */
export function parseCallPath(path: string, networks: Networks): CallPath {
  const unprefixed = { path, network: undefined };
  if (path.startsWith("/rpc/")) return unprefixed;
  const [, name = "", rest = "", service = ""] = /^\/([^/]+)(\/rpc\/([^/]+)\/[^/]*)$/.exec(path) ?? [];
  const network = hasNetworkPath(service) ? networks.find(name) : undefined;
  return network === undefined ? unprefixed : { path: rest, network };
}

/** Returns the path without the network, and stores the network for `pathNetworkOf`. */
export function methodPathOf(ctx: Context, networks: Networks): string {
  const { path, network } = parseCallPath(ctx.path, networks);
  if (network !== undefined) ctx.state["network"] = network;
  return path;
}

export function pathNetworkOf(ctx: Context): Network | undefined {
  return ctx.state["network"] as Network | undefined;
}
