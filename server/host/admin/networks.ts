import type { Config } from "../../base/config/config.ts";
import type { Network } from "../../chain/networks/network.ts";
import { Networks } from "../../chain/networks/networks.ts";
import { readNetworks } from "../../chain/networks/settings.ts";
import { AdminFault } from "./command.ts";

/** The configured networks. A local chain is not one of them. */
export function networksOf(config: Config): Networks {
  return new Networks(readNetworks(config).networks);
}

export function networkNamed(config: Config, text: string): Network {
  const network = networksOf(config).find(text);
  if (network === undefined) throw unknown(text);
  return network;
}

/** Finds a chain id by name or chain id; also accepts the id of a local chain. Throws AdminFault. */
export function chainIdNamed(config: Config, text: string): number {
  const network = networksOf(config).find(text);
  if (network !== undefined) return network.chainId;
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw unknown(text);
}

/** Returns the chain id as text if the chain has no name. */
export function networkName(config: Config, chainId: number): string {
  return networksOf(config).find(chainId)?.name ?? String(chainId);
}

function unknown(text: string): AdminFault {
  return new AdminFault(`unknown network "${text}"; see: platform networks list`);
}
