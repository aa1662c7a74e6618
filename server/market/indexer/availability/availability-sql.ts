import type { Queries } from "../../../base/storage/database.ts";

/* SQL fragments that compute the availability of open orders from their facts. */

/** Condition for open orders. The wording must match the predicates of the indexes. */
export function isOpen(o: string): string {
  return `${o}.status in ('active', 'inactive', 'decimals_missing')`;
}

/**
 * How many units of the order `o` its maker can deliver now. An offer at price `p` costs its maker `p·q` for `q` units, plus the royalty
 * on `p·q`, rounded down. The result is exact: the largest `q` whose total cost the holding covers.
 */
const units = (o: string, remaining: string): string => `case
      when holding.amount is null or (${o}.royalty_id is not null and royalty.amount is null) then 0
      when ${o}.side = 'listing' then
        case when royalty.amount > 1e18 then 0 else least(${remaining}, holding.amount) end
      when coalesce(royalty.amount, 0) = 0 then
        least(${remaining}, div(holding.amount * ${o}.quantity_initial,
          nullif(coalesce(${o}.offered_amount, ${o}.price_amount * ${o}.quantity_initial), 0)))
      else
        least(${remaining}, div((holding.amount + 1) * 1e18 - 1, nullif(${o}.price_amount * (1e18 + royalty.amount), 0)))
      end`;

/** Royalty of a listing in basis points; 0 for an offer, whose maker pays the royalty on top of the price. */
const royaltyBps = (o: string): string =>
  `case when ${o}.side = 'listing' then least(10000, round(royalty.amount / 1e14))::int else 0 end`;

/**
 * Adds `availability (units, status, fee_bps, fee_breakdown)` to a `from` with an order `o` and its `currency`: the availability that the
 * order has unless its market or its expiry has closed it. `remaining` is the number of unfilled units.
 */
export function availabilityJoin(o: string, remaining: string): string {
  return `
    left join market_fact holding on holding.id = ${o}.holding_id
    left join market_fact royalty on royalty.id = ${o}.royalty_id
    cross join lateral (select ${units(o, remaining)} as units, ${royaltyBps(o)} as royalty_bps offset 0) possible
    cross join lateral (
      select case when ${o}.is_whole and possible.units < ${remaining} then 0 else possible.units end as units, possible.royalty_bps
    ) deliverable
    cross join lateral (
      select deliverable.units,
        case when not currency.is_known then 'decimals_missing' when deliverable.units > 0 then 'active' else 'inactive'
          end::order_status as status,
        case when royalty.amount is null then ${o}.fee_bps else deliverable.royalty_bps end as fee_bps,
        case when royalty.amount is null then ${o}.fee_breakdown::text
          when deliverable.royalty_bps = 0 then '[]'
          else json_build_array(json_build_object(
            'kind', 'royalty', 'recipientAddress', royalty.recipient, 'bps', deliverable.royalty_bps))::text
          end as fee_breakdown
    ) availability`;
}

/** Recomputes open orders from their facts: status, available units, fees. */
export async function updateAvailability(
  tx: Queries,
  chainId: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await lockChain(tx, chainId);
  await tx.query(ordersSql, [ids]);
}

export async function updateAvailabilityByFacts(
  tx: Queries,
  chainId: number,
  facts: readonly string[],
): Promise<void> {
  if (facts.length === 0) return;
  await lockChain(tx, chainId);
  await tx.query(factsSql, [facts]);
}

const updateSql = `
    update market_order known set
      status = computed.status, quantity_available = computed.units, fee_bps = computed.fee_bps, fee_breakdown = computed.fee_breakdown::json,
      updated_at = now()
    from (
      select o.id, availability.* from touched
      join market_order o on o.id = touched.id
      join currency on currency.id = o.currency_id
      ${availabilityJoin("o", "o.quantity_remaining")}
      where o.spender is not null and ${isOpen("o")}
    ) computed
    where known.id = computed.id
      and (known.status, known.quantity_available, known.fee_bps, known.fee_breakdown::text)
        is distinct from (computed.status, computed.units, computed.fee_bps, computed.fee_breakdown)`;

const ordersSql = {
  name: "market-update-availability",
  text: `with touched as (select unnest($1::bigint[]) as id) ${updateSql}`,
};

const factsSql = {
  name: "market-update-availability-facts",
  text: `
    with touched as materialized (
      select id from market_order where holding_id = any($1::bigint[]) and holding_id is not null and ${isOpen("market_order")}
      union
      select id from market_order where royalty_id = any($1::bigint[]) and royalty_id is not null and ${isOpen("market_order")}
    ) ${updateSql}`,
};

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

/** A contract from which a fact could not be read: it reverts, loops, responds with too much, or needs off-chain data. */
interface FailingContract {
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
