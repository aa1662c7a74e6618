import { listRates } from "../../../market/records/currencies/list-rates.ts";
import type { Command } from "../command.ts";
import { networkNamed, networksOf } from "../networks.ts";

export const rates: readonly Command[] = [
  {
    name: "rates list",
    help: "list currencies with their rate in US dollars, its source, and the reason if the source is not trusted",
    positionals: ["[NETWORK]"],
    run: async (ports, { positionals: [name] }) => {
      const { config } = ports;
      const networks = name === undefined ? networksOf(config).all : [networkNamed(config, name)];
      const rows = await listRates(await ports.database(), networks);
      return { list: rows.map(({ toldAt, ...row }) => ({ ...row, toldAt: toldAt?.toISOString() ?? null })) };
    },
  },
];
