import type { Queries } from "../../../base/storage/database.ts";
import { isOpen } from "./outlook.ts";

/** A contract that fails, loops, floods or wants an answer from elsewhere when it is asked what orders hang on. */
export interface SilentContract {
  readonly contract: string;
  readonly kind: "holding" | "royalty";
  readonly reason: string;
  /** Open ones that hang on it. */
  readonly orders: number;
  /** When it was asked last. */
  readonly readAt: Date;
}

/** Those with the most orders first. */
export function listSilent(queries: Queries, chainId: number): Promise<readonly SilentContract[]> {
  return queries.query<SilentContract>(silentSql, [chainId]);
}

const silentSql = {
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
