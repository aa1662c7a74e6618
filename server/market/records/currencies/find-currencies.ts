import type { Queries, Statement } from "../../../base/storage/database.ts";
import type { Currency } from "./currency.ts";

export function findCurrencies(
  queries: Queries,
  chainId: number,
  addresses: readonly string[],
): Promise<readonly Currency[]> {
  return queries.query<Currency>(statement, [chainId, addresses]);
}

const statement: Statement = {
  name: "find-currencies",
  text: "select id, address, decimals from currency where chain_id = $1 and address = any($2::text[])",
};
