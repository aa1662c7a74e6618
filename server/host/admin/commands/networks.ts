import { readNetworks } from "../../../chain/networks/settings.ts";
import type { Command } from "../command.ts";

export const networks: readonly Command[] = [
  {
    name: "networks list",
    help: "list the configured networks",
    positionals: [],
    run: async ({ config }) => ({
      list: readNetworks(config).networks.map(({ chainId, name, title, isTestnet, nodes }) => ({
        chainId,
        name,
        title,
        testnet: isTestnet,
        // A count, because the URLs of nodes often contain keys.
        nodes: nodes.length,
      })),
    }),
  },
];
