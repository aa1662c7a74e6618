import type { Queries } from "../../base/storage/database.ts";
import type { BlockId } from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";

const blocksSql = {
  name: "webhook-event-blocks",
  text: `select distinct block_number as number, encode(block_hash, 'hex') as hash from webhook_batch
         where chain_id = $1 and block_number >= $2 and block_number < $3 and not is_removal and not is_gone`,
};

/** Returns the blocks of the stored events, which receivers believe to be part of the chain. */
export async function eventBlocks(
  queries: Queries,
  chainId: number,
  { from, below }: { readonly from: number; readonly below: number },
): Promise<readonly BlockId[]> {
  const rows = await queries.query<{ readonly number: string; readonly hash: string }>(blocksSql, [
    chainId,
    from,
    below,
  ]);
  return rows.map(({ number, hash }) => ({ number: Number(number), hash: `0x${hash}` as Hex }));
}
