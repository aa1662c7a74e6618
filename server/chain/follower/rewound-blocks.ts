/** The rewound blocks of a chain: committed before a rewind, and not added again since. */
import type { Queries } from "../../base/storage/database.ts";
import { bytesOf } from "./bytes.ts";
import { requireEpoch, Superseded } from "./checkpoint.ts";
import type { BlockId } from "./derive/deriver.ts";
import { type BlockRow, blockOf } from "./known-blocks.ts";

/** Returns the rewound blocks, highest first. */
export async function readRewound(queries: Queries, chainId: number): Promise<readonly BlockId[]> {
  const rows = await queries.query<BlockRow>(
    "select number, hash from follower_rewound where chain_id = $1 order by number desc",
    [chainId],
  );
  return rows.map(blockOf);
}

/** Deletes the rewound blocks from this one on, because they have left the chain. Throws Superseded. */
export async function dropRewoundFrom(
  tx: Queries,
  chainId: number,
  epoch: number,
  fromBlock: number,
): Promise<void> {
  await requireEpoch(tx, chainId, epoch);
  await tx.query("delete from follower_rewound where chain_id = $1 and number >= $2", [chainId, fromBlock]);
}

/** Deletes the rewound blocks up to this one, because they were added again. */
export async function dropRewoundThrough(tx: Queries, chainId: number, toBlock: number): Promise<void> {
  await tx.query("delete from follower_rewound where chain_id = $1 and number <= $2", [chainId, toBlock]);
}

const moveToRewoundSql = `
with recent as (
  delete from follower_block where chain_id = $1 and number >= $2 returning number, hash
), old as (
  delete from follower_history where chain_id = $1 and number >= $2 returning number, hash
)
insert into follower_rewound (chain_id, number, hash)
select distinct on (number) $1, number, hash
from (
  select 1 as rank, number, hash from recent
  union all select 2, number, hash from old
  union all select 3, number, hash from unnest($3::bigint[], $4::bytea[]) as other (number, hash)
  union all select 4, block_number, block_hash from follower_skipped
    where chain_id = $1 and block_number >= $2 and step = 'added'
) as block
order by number, rank
on conflict (chain_id, number) do nothing`;

export interface Rewind {
  readonly chainId: number;
  readonly epoch: number;
  readonly fromBlock: number;
  /** Blocks from `fromBlock` on to which records belong. The follower may have forgotten them. */
  readonly blocksWithRecords: readonly BlockId[];
}

/** Moves the checkpoint to the block before `fromBlock`, on an operator's request, and clears the reason of a stop. */
export async function rewindBlocks(
  tx: Queries,
  { chainId, epoch, fromBlock, blocksWithRecords }: Rewind,
): Promise<void> {
  const rows = await tx.query(
    `update follower_cursor
     set first_block = least(first_block, $3::bigint), block_number = $3::bigint - 1, rewind_to = null, stopped = null,
       block_hash = coalesce((select hash from follower_block where chain_id = $1 and number = $3::bigint - 1),
         (select hash from follower_history where chain_id = $1 and number = $3::bigint - 1)), updated_at = now()
     where chain_id = $1 and epoch = $2 returning 1`,
    [chainId, epoch, fromBlock],
  );
  if (rows.length === 0) throw new Superseded(`chain ${chainId} is followed by another process`);
  await tx.query(moveToRewoundSql, [
    chainId,
    fromBlock,
    blocksWithRecords.map(({ number }) => number),
    blocksWithRecords.map(({ hash }) => bytesOf(hash)),
  ]);
  // Records that were skipped when blocks were added remain until the blocks are added again.
  await tx.query(
    "delete from follower_skipped where chain_id = $1 and block_number >= $2 and step = 'removed'",
    [chainId, fromBlock],
  );
}
