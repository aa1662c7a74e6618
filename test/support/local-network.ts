import type { Network } from "../../server/chain/networks/network.ts";
import { readNetworks } from "../../server/chain/networks/settings.ts";

/** The network of a local chain, as an operator configures it. */
export function localNetwork(rpcUrl: string | readonly string[], details: object = {}): Network {
  const rpcUrls = [rpcUrl].flat().map((url) => `31337=${url}`);
  const networkDetails = { "31337": details };
  const { networks, errors } = readNetworks({ networks: ["31337"], rpcUrls, networkDetails });
  const [network] = networks;
  if (network === undefined || errors.length > 0) throw new Error(errors.join("\n"));
  return network;
}
