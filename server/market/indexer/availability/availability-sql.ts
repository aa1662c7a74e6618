/** SQL fragments that compute the availability of open orders from their facts. */

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
