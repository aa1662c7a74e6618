with here as materialized (
  select id, chain_id, address from collection
  where chain_id = $1::bigint and address = $2::text
), band (currency_id, tier, unit, low, high) as materialized (
  values (
    $3::int, $4::int, $5::numeric,
    $6::numeric, $7::numeric
  )
), best as (
  select * from (
    (
      select best.* from band cross join lateral (
        select band.tier, - o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
        from market_order as o
        where o.collection_id = (select id from here) and o.collectible_id is null and o.side = 'offer' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
        and o.valid_from <= now() and o.valid_until > now()
        and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
        order by o.price_amount desc, o.made_at fetch first (1) rows with ties
      ) as best
      order by tier, rank, made_at, order_id, id
      limit 1)
    union all
    (
      select best.* from band cross join lateral (
        select band.tier, - o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
        from market_order as o
        where o.collectible_id = (select id from collectible where collection_id = (select id from here) and token_id = $8::numeric) and o.collectible_id is not null and o.side = 'offer' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
        and o.valid_from <= now() and o.valid_until > now()
        and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
        order by o.price_amount desc, o.made_at fetch first (1) rows with ties
      ) as best
      order by tier, rank, made_at, order_id, id
      limit 1)
  ) as found
  order by tier, rank, made_at, order_id, id
  limit 1
)
select concat('[', concat_ws(',', concat('[', concat_ws(',', o.id, o.collection_id, coalesce((o.collectible_id)::text, 'null'), to_json(o.order_id), (o.valid_until <= now())::text, to_json(o.origin_name), to_json(o.slug), o.currency_id, o.quantity_decimals, o.fee_bps, o.fee_breakdown, to_json(o.valid_from at time zone 'UTC'), to_json(o.valid_until at time zone 'UTC'), greatest(o.block_number, o.changed_block), coalesce((to_json(o.order_created_at at time zone 'UTC'))::text, 'null'), coalesce((to_json(o.order_updated_at at time zone 'UTC'))::text, 'null'), to_json(o.created_at at time zone 'UTC'), to_json(o.updated_at at time zone 'UTC'), coalesce((to_json(o.deleted_at at time zone 'UTC'))::text, 'null')), ',"', concat_ws('","', o.marketplace, o.source, o.side, o.status, o.created_by, o.price_amount, o.quantity_initial, o.quantity_remaining, o.quantity_available), '"', ']'), collection.chain_id, coalesce((to_json(token.token_id::text))::text, 'null'), concat('[', concat_ws(',', currency.decimals), ',"', concat_ws('","', currency.address), '"', ']')), ',"', concat_ws('","', collection.address), '"', ']') as data
from best join market_order as o on o.id = best.id
cross join here as collection
join currency on currency.id = o.currency_id
left join collectible as token on token.id = o.collectible_id
