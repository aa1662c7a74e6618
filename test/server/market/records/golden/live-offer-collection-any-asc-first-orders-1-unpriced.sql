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
), walk as materialized (
  select token.id, token.token_id from (
    select token.id, token.collection_id, token.token_id, token.is_undone, token.origin, token.deleted_because
    from collectible as token where (token.collection_id, token.token_id) > ((select id from here), -1)
    and (token.collection_id, token.token_id) <= ((select id from here), 115792089237316195423570985008687907853269984665640564039457584007913129639935) order by token.collection_id, token.token_id limit 1000
  ) as token
  where case when exists (
    select from market_order open_order
    where open_order.collectible_id = token.id and open_order.collectible_id is not null
    and open_order.status in ('active', 'inactive', 'decimals_missing') and open_order.deleted_at is null offset 0
  ) then exists (select from band cross join lateral (
      select
      from market_order as candidate
      where candidate.collectible_id = token.id and candidate.collectible_id is not null and candidate.side = 'offer'
      and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
      and candidate.valid_from <= now() and candidate.valid_until > now()
      and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
      offset 0
    ) as part offset 0)
  or exists (select from gap cross join lateral (
      select
      from market_order as candidate
      where candidate.collectible_id = token.id and candidate.collectible_id is not null and candidate.side = 'offer'
      and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
      and candidate.valid_from <= now() and candidate.valid_until > now() and candidate.currency_id > gap.low and candidate.currency_id < gap.high
      offset 0
    ) as part offset 0) else false end
  order by token.collection_id, token.token_id limit $10::bigint + $9::int + 2
), walked as materialized (
  select count(*) >= $10::bigint + $9::int + 2 as is_enough from walk
), page as materialized (
  select *, row_number() over (order by segment asc, token_id asc, id asc) as place from (
    select * from (
      select part.* from walk cross join lateral (select part.* from band cross join lateral (
          select 0 as segment, band.tier, - candidate.price_amount * band.unit as rank, candidate.id, candidate.collectible_id, walk.token_id as token_id, candidate.created_at, candidate.updated_at, candidate.valid_until
          from market_order as candidate
          where (select is_enough from walked) and candidate.collectible_id = walk.id and candidate.collectible_id is not null and candidate.side = 'offer'
          and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
          and candidate.valid_from <= now() and candidate.valid_until > now()
          and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
        ) as part offset 0) as part union all
      select part.* from band cross join lateral (
        select 0 as segment, band.tier, - candidate.price_amount * band.unit as rank, candidate.id, candidate.collectible_id, coalesce((select token.token_id from collectible as token where token.id = candidate.collectible_id), -1)::numeric as token_id, candidate.created_at, candidate.updated_at, candidate.valid_until
        from market_order as candidate
        where not (select is_enough from walked) and candidate.collection_id = (select id from here) and candidate.collectible_id is not null and candidate.side = 'offer'
        and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
        and candidate.valid_from <= now() and candidate.valid_until > now()
        and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
      ) as part union all
      select part.* from band cross join lateral (
        select 0 as segment, band.tier, - candidate.price_amount * band.unit as rank, candidate.id, candidate.collectible_id, coalesce((select token.token_id from collectible as token where token.id = candidate.collectible_id), -1)::numeric as token_id, candidate.created_at, candidate.updated_at, candidate.valid_until
        from market_order as candidate
        where candidate.collection_id = (select id from here) and candidate.collectible_id is null and candidate.side = 'offer'
        and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
        and candidate.valid_from <= now() and candidate.valid_until > now()
        and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
      ) as part union all
      select part.* from walk cross join lateral (select part.* from gap cross join lateral (
          select 0 as segment, candidate.currency_id as tier, - candidate.price_amount as rank, candidate.id, candidate.collectible_id, walk.token_id as token_id, candidate.created_at, candidate.updated_at, candidate.valid_until
          from market_order as candidate
          where (select is_enough from walked) and candidate.collectible_id = walk.id and candidate.collectible_id is not null and candidate.side = 'offer'
          and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
          and candidate.valid_from <= now() and candidate.valid_until > now() and candidate.currency_id > gap.low and candidate.currency_id < gap.high
        ) as part offset 0) as part union all
      select part.* from gap cross join lateral (
        select 0 as segment, candidate.currency_id as tier, - candidate.price_amount as rank, candidate.id, candidate.collectible_id, coalesce((select token.token_id from collectible as token where token.id = candidate.collectible_id), -1)::numeric as token_id, candidate.created_at, candidate.updated_at, candidate.valid_until
        from market_order as candidate
        where not (select is_enough from walked) and candidate.collection_id = (select id from here) and candidate.collectible_id is not null and candidate.side = 'offer'
        and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
        and candidate.valid_from <= now() and candidate.valid_until > now() and candidate.currency_id > gap.low and candidate.currency_id < gap.high
      ) as part union all
      select part.* from gap cross join lateral (
        select 0 as segment, candidate.currency_id as tier, - candidate.price_amount as rank, candidate.id, candidate.collectible_id, coalesce((select token.token_id from collectible as token where token.id = candidate.collectible_id), -1)::numeric as token_id, candidate.created_at, candidate.updated_at, candidate.valid_until
        from market_order as candidate
        where candidate.collection_id = (select id from here) and candidate.collectible_id is null and candidate.side = 'offer'
        and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
        and candidate.valid_from <= now() and candidate.valid_until > now() and candidate.currency_id > gap.low and candidate.currency_id < gap.high
      ) as part
    ) as part
    order by segment asc, token_id asc, id asc limit $9::int + 1 offset $10::bigint
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
  select json_build_array((segment)::text, (token_id)::text, (id)::text) from page
  where place = $9::int and exists (select from page where place > $9::int)
) as "end"
