import type { Queries } from "../../base/storage/database.ts";

export interface StoppedChain {
  readonly chainId: number;
  /** The last block whose records are committed. */
  readonly block: number;
  readonly reason: string;
}

/** Returns the chains among these whose follower waits for the operator, on whichever replica. */
export async function readStoppedChains(
  queries: Queries,
  chainIds: readonly number[],
): Promise<readonly StoppedChain[]> {
  return queries.query<StoppedChain>(
    {
      name: "stopped-chains",
      text: `select chain_id::float8 as "chainId", block_number::float8 as block, stopped as reason
             from follower_cursor where stopped is not null and chain_id = any($1) order by chain_id`,
    },
    [chainIds],
  );
}
