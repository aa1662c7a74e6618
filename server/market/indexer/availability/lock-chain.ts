import type { Queries } from "../../../base/storage/database.ts";

const lockSql = {
  name: "market-lock-chain",
  text: "select revision from market_chain where chain_id = $1 for no key update",
};
const insertSql = "insert into market_chain (chain_id) values ($1) on conflict do nothing";

/**
 * Locks the facts of a chain, and the orders that depend on them, until the transaction ends. Returns the revision of the watched
 * contracts.
 */
export async function lockChain(tx: Queries, chainId: number): Promise<number> {
  for (;;) {
    const [row] = await tx.query<{ readonly revision: string }>(lockSql, [chainId]);
    if (row !== undefined) return Number(row.revision);
    await tx.query(insertSql, [chainId]);
  }
}
