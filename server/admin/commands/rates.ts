import { Networks } from "../../networks/networks.ts";
import { readNetworks } from "../../networks/settings.ts";
import { listRates } from "../../records/currencies/list-rates.ts";
import { AdminFault, type Command } from "../command.ts";

export const rates: readonly Command[] = [
  {
    name: "rates list",
    help: "what currencies are worth in dollars, who says so, and why a feed or a pool is not believed",
    positionals: ["[NETWORK]"],
    run: async (ports, { positionals: [name] }) => {
      const { all } = new Networks(readNetworks(ports.config).networks);
      const networks =
        name === undefined
          ? all
          : all.filter((network) => network.names.includes(name) || String(network.chainId) === name);
      if (networks.length === 0)
        throw new AdminFault(`there is no network "${name}"; see: platform networks list`);
      const rows = await listRates(await ports.database(), networks);
      return { list: rows.map(({ toldAt, ...row }) => ({ ...row, toldAt: toldAt?.toISOString() ?? null })) };
    },
  },
];
