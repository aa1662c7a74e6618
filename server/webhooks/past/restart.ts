import type { ChainTransaction } from "../../chain/follower/derive/deriver.ts";

/**
 * The common ancestor of the old and the new chain is this block or a higher one. Blocks between them have no notifications. During a deep
 * reorganisation, this block may itself have left the chain; the next step then lowers it.
 */
const ancestor = `
select coalesce(
  greatest(
    (select max(number) from follower_block where chain_id = $1 and number < $2),
    (select max(number) from follower_history where chain_id = $1 and number < $2),
    (select max(block_number) from webhook_batch
     where chain_id = $1 and block_number < $2 and not is_removal and not is_gone)),
  (select first_block - 1 from follower_cursor where chain_id = $1)) as number`;

const restartSql = {
  name: "webhook-past-restart",
  text: `
update webhook_past set next_block = greatest(from_block, ancestor.number + 1)
from (${ancestor}) as ancestor
where chain_id = $1 and next_block > greatest(from_block, ancestor.number + 1)`,
};

/** Blocks from `lowest` on have left the chain: the blocks that replace them are read again. */
export async function restartPastReads({ query, chainId }: ChainTransaction, lowest: number): Promise<void> {
  await query(restartSql, [chainId, lowest]);
}
