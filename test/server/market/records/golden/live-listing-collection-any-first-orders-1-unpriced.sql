with here as materialized (
  select id, chain_id, address from collection
  where chain_id = $1::bigint and address = $2::text
), band (currency_id, tier, unit, low, high) as materialized (
  values (
    $3::int, $4::int, $5::numeric,
    $6::numeric, $7::numeric
  )
), gap (low, high) as materialized (
  select lag(id, 1, 0) over (order by id), id from unnest($8::int[]) as known (id) where true
), page as materialized (
  select *, row_number() over (order by segment asc, tier asc, rank asc, made_at asc, order_id asc, id asc, id asc) as place from (
    select * from (
      select part.* from band cross join lateral (
        select 1 as segment, band.tier, candidate.price_amount * band.unit as rank, candidate.id, candidate.collectible_id, candidate.made_at, candidate.order_id
        from market_order as candidate
        where candidate.collection_id = (select id from here) and candidate.collectible_id is not null and candidate.side = 'listing'
        and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
        and candidate.valid_from <= now() and candidate.valid_until > now()
        and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
        order by candidate.price_amount asc, candidate.made_at fetch first ($10::bigint + $9::int + 1) rows with ties
      ) as part union all
      select part.* from gap cross join lateral (
        select 2 as segment, candidate.currency_id as tier, candidate.price_amount as rank, candidate.id, candidate.collectible_id, candidate.made_at, candidate.order_id
        from market_order as candidate
        where candidate.collection_id = (select id from here) and candidate.collectible_id is not null and candidate.side = 'listing'
        and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
        and candidate.valid_from <= now() and candidate.valid_until > now() and candidate.currency_id > gap.low and candidate.currency_id < gap.high
        order by candidate.currency_id, candidate.price_amount asc, candidate.made_at, candidate.order_id, candidate.id
        limit $10::bigint + $9::int + 1
      ) as part
    ) as part
    order by segment asc, tier asc, rank asc, made_at asc, order_id asc, id asc, id asc limit $9::int + 1 offset $10::bigint
  ) as found
)
select (
  select '[' || string_agg(concat('[', concat_ws(',', concat('[', concat_ws(',', o.id, o.collection_id, coalesce((o.collectible_id)::text, 'null'), to_json(o.order_id), (o.valid_until <= now())::text, to_json(o.origin_name), to_json(o.slug), o.currency_id, o.quantity_decimals, o.fee_bps, o.fee_breakdown, to_json(o.valid_from at time zone 'UTC'), to_json(o.valid_until at time zone 'UTC'), greatest(o.block_number, o.changed_block), coalesce((to_json(o.order_created_at at time zone 'UTC'))::text, 'null'), coalesce((to_json(o.order_updated_at at time zone 'UTC'))::text, 'null'), to_json(o.created_at at time zone 'UTC'), to_json(o.updated_at at time zone 'UTC'), coalesce((to_json(o.deleted_at at time zone 'UTC'))::text, 'null')), ',"', concat_ws('","', o.marketplace, o.source, o.side, o.status, o.created_by, o.price_amount, o.quantity_initial, o.quantity_remaining, o.quantity_available), '"', ']'), collection.chain_id, coalesce((to_json(token.token_id::text))::text, 'null'), concat('[', concat_ws(',', currency.decimals), ',"', concat_ws('","', currency.address), '"', ']')), ',"', concat_ws('","', collection.address), '"', ']'), ',' order by page.place) || ']'
  from page join market_order as o on o.id = page.id
  cross join here as collection
  join currency on currency.id = o.currency_id
  left join collectible as token on token.id = o.collectible_id
  where page.place <= $9::int
) as orders, (
  select json_build_array((segment)::text, (tier)::text, (rank)::text, (made_at)::text, (order_id)::text, (id)::text, (id)::text) from page
  where place = $9::int and exists (select from page where place > $9::int)
) as "end"
