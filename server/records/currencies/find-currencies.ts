import type { Queries, Statement } from "../../storage/database.ts";

/** The ids of currencies by their addresses, of those that are known on a chain. */
export async function findCurrencies(
  queries: Queries,
  chainId: number,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.query<{ id: number; address: string }>(statement, [chainId, addresses]);
  return new Map(rows.map(({ id, address }) => [address, id]));
}

const statement: Statement = {
  name: "find-currencies",
  text: "select id, address from currency where chain_id = $1 and address = any($2::text[])",
};
