import type { Queries } from "../../../base/storage/database.ts";
import {
  AdminFault,
  argument,
  type Command,
  chainIdNamed,
  confirm,
  confirmOption,
  contractNamed,
  counted,
  networkName,
  networksOf,
  type Row,
} from "../command.ts";

export const currencies: readonly Command[] = [
  {
    name: "currencies list",
    help: "list the known currencies with their imported rates; for the rates in use: rates list",
    positionals: ["[NETWORK]"],
    run: async (context, { positionals: [network] }) => {
      const chainId = network === undefined ? null : chainIdNamed(context.config, network);
      const rows = await list(await context.database(), "$1::bigint is null or chain_id = $1", [chainId]);
      return {
        list: rows.map(({ chainId: id, ...row }) => ({
          network: networkName(context.config, Number(id)),
          ...row,
        })),
      };
    },
  },
  {
    name: "currencies delete",
    help: "forget the rate, symbol and decimals of an imported currency",
    positionals: ["NETWORK", "ADDRESS"],
    options: confirmOption,
    details:
      "Not for currencies in networkDetails, or with stored orders. On a chain with markets, the host then asks the contract for its symbol and decimals.",
    run: async (context, input) => {
      const { chainId, address } = contractNamed(context, input);
      const configured = networksOf(context.config).find(chainId)?.currencies ?? [];
      if (configured.some((currency) => currency.address === address))
        throw new AdminFault(`${address} is configured in networkDetails; remove it there first`);
      const queries = await context.database();
      const [row] = await list(queries, "chain_id = $1 and address = $2", [chainId, address]);
      if (row === undefined)
        throw new AdminFault(`the currency ${address} is not known; see: platform currencies list`);
      const id = await idWithoutOrders(queries, chainId, address);
      await confirm(context, input, {
        consequence: `the currency ${row["symbol"]} (${address}) will be deleted`,
        word: address,
      });
      const deleted = await queries.query(
        `update currency set symbol = '', name = '', decimals = 0, usd_rate = null, is_known = false, asked_at = null, updated_at = now()
         where id = $1 and not exists (select from market_order where currency_id = currency.id) returning id`,
        [id],
      );
      if (deleted.length === 0)
        throw new AdminFault("an order in this currency was just stored; nothing was deleted");
      return { record: { network: argument(input, 0), address } };
    },
  },
];

/** Amounts are stored in the smallest unit: without decimals, prices have no meaning. */
async function idWithoutOrders(queries: Queries, chainId: number, address: string): Promise<string> {
  const [row] = await queries.query<{ id: string; orders: number }>(
    `select id, (select count(*)::float8 from market_order where currency_id = currency.id) as orders
     from currency where chain_id = $1 and address = $2`,
    [chainId, address],
  );
  if (row === undefined || row.orders > 0)
    throw new AdminFault(
      `${counted(row?.orders ?? 0, "stored orders")} are in this currency; delete them first: platform orders delete`,
    );
  return row.id;
}

function list(queries: Queries, condition: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return queries.query(
    `select chain_id::float8 as "chainId", address, symbol, name, decimals, usd_rate::text as "usdRate"
     from currency where is_known and (${condition}) order by chain_id, id`,
    values,
  );
}
