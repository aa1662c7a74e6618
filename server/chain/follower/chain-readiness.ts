/** How following the chains goes, as their hosts reported. */
import type { Queries } from "../../base/storage/database.ts";

/** After this time without a report, in seconds, no host follows a chain: longer than another replica needs to take over. */
export const silentSeconds = 30;

/** Longest failure with which calls are still served, in seconds. Shorter ones often end by themselves. */
const maxFailureSeconds = 300;

const isSilent = `reported_at < now() - make_interval(secs => ${silentSeconds})`;

/** Columns for a query of `follower_health`. */
export interface HealthColumns {
  /** Whether no host follows the chain. */
  readonly is_silent: boolean;
  readonly failing_since: Date | null;
  readonly failing_seconds: number | null;
  readonly failure: string | null;
}

const failingSince = `case when ${isSilent} then reported_at else failing_since end`;

export const healthColumns: string = `coalesce(${isSilent}, true) as is_silent,
  ${failingSince} as failing_since,
  extract(epoch from now() - ${failingSince})::float8 as failing_seconds,
  case when coalesce(${isSilent}, true) then 'no running host follows the chain' else failure end as failure`;

export interface OutdatedChain {
  readonly chainId: number;
  /** The last block whose records are committed; null if there is none. */
  readonly block: number | null;
  /** Why the follower waits for the operator; null if it does not. */
  readonly stopped: string | null;
  readonly failingSince: Date | null;
  readonly failure: string | null;
}

const outdatedSql = {
  name: "outdated-chains",
  text: `
    select chain_id::float8 as "chainId", block_number::float8 as block, stopped, failing_since as "failingSince", failure
    from (
      select chain_id, block_number, stopped, ${healthColumns}
      from follower_cursor full join follower_health using (chain_id) where chain_id = any($1)
    ) as chain
    where stopped is not null or failing_seconds > ${maxFailureSeconds}
    order by chain_id`,
};

/**
 * Returns the chains among these whose follower waits for the operator, or has failed for five minutes, on whichever replica. A lag
 * alone is not a problem: catching up may take days.
 */
export function readOutdatedChains(
  queries: Queries,
  chainIds: readonly number[],
): Promise<readonly OutdatedChain[]> {
  return queries.query<OutdatedChain>(outdatedSql, [chainIds]);
}
