import type { Queries } from "../../../base/storage/database.ts";

const takeSql = {
  name: "market-turn",
  text: "select revision from market_chain where chain_id = $1 for no key update",
};
const firstSql = "insert into market_chain (chain_id) values ($1) on conflict do nothing";

/**
 * Waits until nobody else changes facts of this chain, or orders because of them, and keeps it so until the transaction ends. Answers
 * the revision of the contracts that are watched.
 */
export async function takeTurn(tx: Queries, chainId: number): Promise<number> {
  for (;;) {
    const [row] = await tx.query<{ readonly revision: string }>(takeSql, [chainId]);
    if (row !== undefined) return Number(row.revision);
    await tx.query(firstSql, [chainId]);
  }
}
