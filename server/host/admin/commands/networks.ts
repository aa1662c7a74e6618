import { readNetworks } from "../../../chain/networks/settings.ts";
import type { Command } from "../command.ts";

export const networks: readonly Command[] = [
  {
    name: "networks list",
    help: "the networks that the configuration serves",
    positionals: [],
    run: async ({ config }) => ({
      list: readNetworks(config).networks.map(({ chainId, name, title, isTestnet, rpcUrls }) => ({
        chainId,
        name,
        title,
        testnet: isTestnet,
        // Their addresses often hold keys.
        nodes: rpcUrls.length,
      })),
    }),
  },
];
