import type { Config } from "../../base/config/config.ts";
import type { Network } from "../../chain/networks/network.ts";
import { Networks } from "../../chain/networks/networks.ts";
import { readNetworks } from "../../chain/networks/settings.ts";
import { AdminFault } from "./command.ts";

/** Those of the configuration: a local chain is none of them. */
export function networksOf(config: Config): Networks {
  return new Networks(readNetworks(config).networks);
}

/** By name or chain id. Throws AdminFault. */
export function networkNamed(config: Config, text: string): Network {
  const network = networksOf(config).find(text);
  if (network === undefined) throw unknown(text);
  return network;
}

/** By name or chain id, which may be that of a local chain. Throws AdminFault. */
export function chainIdNamed(config: Config, text: string): number {
  const network = networksOf(config).find(text);
  if (network !== undefined) return network.chainId;
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw unknown(text);
}

/** The id itself of a chain that has no name here. */
export function networkName(config: Config, chainId: number): string {
  return networksOf(config).find(chainId)?.name ?? String(chainId);
}

function unknown(text: string): AdminFault {
  return new AdminFault(`there is no network "${text}"; see: platform networks list`);
}
