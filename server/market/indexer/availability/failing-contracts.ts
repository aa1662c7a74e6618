import type { Queries } from "../../../base/storage/database.ts";
import { isOpen } from "./availability-sql.ts";

/** A contract from which a fact could not be read: it reverts, loops, responds with too much, or needs off-chain data. */
export interface FailingContract {
  readonly contract: string;
  readonly kind: "holding" | "royalty";
  readonly reason: string;
  /** Open orders that depend on it. */
  readonly orders: number;
  readonly readAt: Date;
}

/** Lists failing contracts, those with the most orders first. */
export function listFailingContracts(queries: Queries, chainId: number): Promise<readonly FailingContract[]> {
  return queries.query<FailingContract>(failingSql, [chainId]);
}

const failingSql = {
  name: "market-silent",
  text: `
    select fact.contract, fact.kind, fact.reason, count(*)::int as orders, max(fact.read_at) as "readAt"
    from market_fact fact
    cross join lateral (
      select from market_order o where o.holding_id = fact.id and o.holding_id is not null and ${isOpen("o")}
      union all
      select from market_order o where o.royalty_id = fact.id and o.royalty_id is not null and ${isOpen("o")}
    ) o
    where fact.chain_id = $1 and fact.reason is not null
    group by fact.contract, fact.kind, fact.reason
    order by count(*) desc, fact.contract, fact.kind
    limit 1000`,
};
