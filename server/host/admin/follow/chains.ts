/** The followed chains, as the operator sees them. */
import type { Queries } from "../../../base/storage/database.ts";
import { type HealthColumns, healthColumns } from "../../../chain/follower/health.ts";
import type { AdminContext, Row } from "../command.ts";
import { networkName } from "../networks.ts";

/** A chain that could never be followed has no cursor. */
const chainsSql = `
select chain_id, first_block, block_number, greatest(cursor.head, health.head) as head, stopped, rewind_to, updated_at, catch_up,
  (select count(*)::int from follower_skipped where follower_skipped.chain_id = cursor.chain_id) as skipped,
  ${healthColumns}
from follower_cursor cursor full join follower_health health using (chain_id)
where $1::bigint is null or chain_id = $1
order by chain_id`;

export interface ChainRow extends HealthColumns {
  readonly chain_id: string;
  readonly first_block: string | null;
  readonly block_number: string | null;
  readonly head: string | null;
  readonly stopped: string | null;
  readonly rewind_to: string | null;
  readonly updated_at: Date | null;
  readonly catch_up: string | null;
  readonly skipped: number;
}

/** Returns all chains without `chainId`. */
export function readChains(queries: Queries, chainId?: number): Promise<readonly ChainRow[]> {
  return queries.query<ChainRow>(chainsSql, [chainId ?? null]);
}

export function shown(context: AdminContext, row: ChainRow): Row {
  const committed = numberOrNull(row.block_number);
  // Before the first block of a chain, it is -1.
  const block = committed === -1 ? null : committed;
  const head = numberOrNull(row.head);
  return {
    network: networkName(context.config, Number(row.chain_id)),
    chainId: Number(row.chain_id),
    from: numberOrNull(row.first_block),
    block,
    behind: head === null || committed === null ? null : Math.max(0, head - committed),
    catchUp: row.catch_up,
    skipped: row.skipped,
    reindexFrom: numberOrNull(row.rewind_to),
    stopped: row.stopped,
    failingSince: row.failing_since?.toISOString() ?? null,
    failure: row.failure,
    updatedAt: row.updated_at?.toISOString() ?? null,
  };
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}
