/** What facts make of an open order, as parts of statements. */

/** Orders to which something may still happen; whoever looks for them says this word for word, as the indexes do. */
export function isOpen(o: string): string {
  return `${o}.status in ('active', 'inactive', 'decimals_missing')`;
}

/**
 * How many units of the order `o` its maker can give now. An offer of `p` a unit costs its maker `p·q` and the royalty of that, rounded
 * down: the most units `q` of which both are within the holding, exactly.
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

/** Of the price of a sale. Who buys by an offer pays the royalty on top of it, so that it takes nothing from whoever accepts. */
const royaltyBps = (o: string): string =>
  `case when ${o}.side = 'listing' then least(10000, round(royalty.amount / 1e14))::int else 0 end`;

/**
 * `outlook (units, status, fee_bps, fee_breakdown)`: what an order `o`, joined with its `currency`, is to be as long as neither its
 * market nor its time ends it; `remaining` units of it are not filled. Follows such a `from`.
 */
export function outlook(o: string, remaining: string): string {
  return `
    left join market_fact holding on holding.id = ${o}.holding_id
    left join market_fact royalty on royalty.id = ${o}.royalty_id
    cross join lateral (select ${units(o, remaining)} as most, ${royaltyBps(o)} as royalty_bps offset 0) given
    cross join lateral (
      select case when ${o}.is_whole and given.most < ${remaining} then 0 else given.most end as units, given.royalty_bps
    ) reckoned
    cross join lateral (
      select reckoned.units,
        case when not currency.is_known then 'decimals_missing' when reckoned.units > 0 then 'active' else 'inactive'
          end::order_status as status,
        case when royalty.amount is null then ${o}.fee_bps else reckoned.royalty_bps end as fee_bps,
        case when royalty.amount is null then ${o}.fee_breakdown::text
          when reckoned.royalty_bps = 0 then '[]'
          else json_build_array(json_build_object(
            'kind', 'royalty', 'recipientAddress', royalty.recipient, 'bps', reckoned.royalty_bps))::text
          end as fee_breakdown
    ) outlook`;
}
