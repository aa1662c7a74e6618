with here as materialized (
  select id, chain_id, address from collection
  where chain_id = $1::bigint and address = $2::text
), band (currency_id, tier, unit, low, high) as materialized (
  values (
    $3::int, $4::int, $5::numeric,
    $6::numeric, $7::numeric
  )
), for_any as materialized (
  select best.* from band cross join lateral (
    select band.tier, - o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
    from market_order as o
    where o.collection_id = (select id from here) and o.collectible_id is null and o.side = 'offer' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
    and o.valid_from <= now() and o.valid_until > now()
    and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
    order by o.price_amount desc, o.made_at fetch first (1) rows with ties
  ) as best
  order by tier, rank, made_at, order_id, id
  limit 1
), near_offer as materialized (
  select part.* from band cross join lateral (
    select candidate.collectible_id, band.tier, - candidate.price_amount * band.unit as rank, candidate.made_at, candidate.order_id, candidate.id
    from market_order as candidate
    where candidate.collection_id = (select id from here) and candidate.side = 'offer' and candidate.collectible_id is not null
    and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
    and candidate.valid_from <= now() and candidate.valid_until > now()
    and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
    and candidate.price_amount >= coalesce((
        select case when for_any.tier = band.tier then trunc(- for_any.rank / band.unit) - 1
        when for_any.tier < band.tier then 115792089237316195423570985008687907853269984665640564039457584007913129639935 else 0 end
        from for_any
      ), 0)
    and not exists (
      select from for_any where (for_any.tier, for_any.rank, for_any.made_at, for_any.order_id, for_any.id) < (band.tier, - candidate.price_amount * band.unit, candidate.made_at, candidate.order_id, candidate.id)
    )
    order by candidate.price_amount desc, candidate.made_at limit $8::int + 1
  ) as part
), own_offers as materialized (
  select count(*) < $8::int + 1 as are_known from near_offer
), own_offer as materialized (
  select distinct on (collectible_id) collectible_id, tier, rank, made_at, order_id, id from near_offer
  order by collectible_id, tier, rank, made_at, order_id, id
), priced as materialized (
  select * from (
    select 1 as segment, collectible_id, token_id, tier, rank, made_at, order_id, id, created_at, updated_at, valid_until from (
      select 1 as segment, collectible_id, 0::numeric as token_id, tier, rank, made_at, order_id, id, null::timestamptz as created_at,
      null::timestamptz as updated_at, null::timestamptz as valid_until
      from (
        with front as materialized (
          select part.* from band cross join lateral (
            select candidate.collectible_id, band.tier, candidate.price_amount * band.unit as rank, candidate.made_at, candidate.order_id, candidate.id, row_number() over (order by candidate.price_amount asc, candidate.made_at) as place
            from market_order as candidate
            where candidate.collection_id = (select id from here) and candidate.side = 'listing' and candidate.collectible_id is not null
            and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
            and candidate.valid_from <= now() and candidate.valid_until > now()
            and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
            order by candidate.price_amount asc, candidate.made_at fetch first (2 * ($9::bigint + $8::int + 1)) rows with ties
          ) as part
        ), bound as materialized (
          select tier, rank, made_at from front where place = 2 * ($9::bigint + $8::int + 1) order by tier, rank, made_at limit 1
        ), best as materialized (
          select distinct on (collectible_id) collectible_id, tier, rank, made_at, order_id, id from front
          where not exists (
            select from bound where (bound.tier, bound.rank, bound.made_at) < (front.tier, front.rank, front.made_at)
          )
          order by collectible_id, tier, rank, made_at, order_id, id
        ), start as materialized (
          select * from best
        ), known as materialized (
          select (select count(*) from start) >= $9::bigint + $8::int + 1 or not exists (select from bound) as is_enough
        )
        select * from start where (select is_enough from known)
        union all
        select * from (
          select part.* from band cross join lateral (
            select candidate.collectible_id, band.tier, candidate.price_amount * band.unit as rank, candidate.made_at, candidate.order_id, candidate.id
            from market_order as candidate
            where candidate.collection_id = (select id from here) and candidate.side = 'listing' and candidate.collectible_id is not null
            and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
            and candidate.valid_from <= now() and candidate.valid_until > now()
            and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
            and not exists (
              select from band as other cross join lateral (
                select from market_order as o
                where o.collectible_id = candidate.collectible_id and o.side = 'listing' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
                and o.valid_from <= now() and o.valid_until > now()
                and o.currency_id = other.currency_id and o.price_amount between other.low and other.high
                and o.price_amount <= case when other.currency_id = band.currency_id then candidate.price_amount
                when other.tier = band.tier then trunc(candidate.price_amount * band.unit / other.unit) + 1 when other.tier < band.tier then 115792089237316195423570985008687907853269984665640564039457584007913129639935 else -1 end
                and (other.tier, o.price_amount * other.unit, o.made_at, o.order_id, o.id) < (band.tier, candidate.price_amount * band.unit, candidate.made_at, candidate.order_id, candidate.id)
                limit 1
              ) as better
            )
            order by candidate.price_amount asc, candidate.made_at fetch first ($9::bigint + $8::int + 1) rows with ties
          ) as part
        ) as scanned where not (select is_enough from known)
      ) as found) as one
    union all
    select 2 as segment, collectible_id, token_id, tier, rank, made_at, order_id, id, created_at, updated_at, valid_until from (
      select 2 as segment, collectible_id, 0::numeric as token_id, tier, rank, made_at, order_id, id, null::timestamptz as created_at,
      null::timestamptz as updated_at, null::timestamptz as valid_until
      from (
        with front as materialized (
          select part.* from band cross join lateral (
            select candidate.collectible_id, band.tier, - candidate.price_amount * band.unit as rank, candidate.made_at, candidate.order_id, candidate.id, row_number() over (order by candidate.price_amount desc, candidate.made_at) as place
            from market_order as candidate
            where candidate.collection_id = (select id from here) and candidate.side = 'offer' and candidate.collectible_id is not null
            and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
            and candidate.valid_from <= now() and candidate.valid_until > now()
            and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
            and candidate.price_amount >= coalesce((
                select case when for_any.tier = band.tier then trunc(- for_any.rank / band.unit) - 1
                when for_any.tier < band.tier then 115792089237316195423570985008687907853269984665640564039457584007913129639935 else 0 end
                from for_any
              ), 0)
            and not exists (
              select from for_any where (for_any.tier, for_any.rank, for_any.made_at, for_any.order_id, for_any.id) < (band.tier, - candidate.price_amount * band.unit, candidate.made_at, candidate.order_id, candidate.id)
            )
            order by candidate.price_amount desc, candidate.made_at fetch first (2 * ($9::bigint + $8::int + 1)) rows with ties
          ) as part
        ), bound as materialized (
          select tier, rank, made_at from front where place = 2 * ($9::bigint + $8::int + 1) order by tier, rank, made_at limit 1
        ), best as materialized (
          select distinct on (collectible_id) collectible_id, tier, rank, made_at, order_id, id from front
          where not exists (
            select from bound where (bound.tier, bound.rank, bound.made_at) < (front.tier, front.rank, front.made_at)
          )
          order by collectible_id, tier, rank, made_at, order_id, id
        ), start as materialized (
          select * from best where not exists (
            select best.* from band cross join lateral (
              select band.tier, o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
              from market_order as o
              where o.collectible_id = best.collectible_id and o.side = 'listing' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
              and o.valid_from <= now() and o.valid_until > now()
              and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
              order by o.price_amount asc, o.made_at fetch first (1) rows with ties
            ) as best
            order by tier, rank, made_at, order_id, id
            limit 1)
        ), known as materialized (
          select (select count(*) from start) >= $9::bigint + $8::int + 1 or not exists (select from bound) as is_enough
        )
        select * from start where (select is_enough from known)
        union all
        select * from (
          select part.* from band cross join lateral (
            select candidate.collectible_id, band.tier, - candidate.price_amount * band.unit as rank, candidate.made_at, candidate.order_id, candidate.id
            from market_order as candidate
            where candidate.collection_id = (select id from here) and candidate.side = 'offer' and candidate.collectible_id is not null
            and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
            and candidate.valid_from <= now() and candidate.valid_until > now()
            and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
            and candidate.price_amount >= coalesce((
                select case when for_any.tier = band.tier then trunc(- for_any.rank / band.unit) - 1
                when for_any.tier < band.tier then 115792089237316195423570985008687907853269984665640564039457584007913129639935 else 0 end
                from for_any
              ), 0)
            and not exists (
              select from for_any where (for_any.tier, for_any.rank, for_any.made_at, for_any.order_id, for_any.id) < (band.tier, - candidate.price_amount * band.unit, candidate.made_at, candidate.order_id, candidate.id)
            )
            and case when not exists (
              select best.* from band cross join lateral (
                select band.tier, o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
                from market_order as o
                where o.collectible_id = candidate.collectible_id and o.side = 'listing' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
                and o.valid_from <= now() and o.valid_until > now()
                and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
                order by o.price_amount asc, o.made_at fetch first (1) rows with ties
              ) as best
              order by tier, rank, made_at, order_id, id
              limit 1) then not exists (
              select from band as other cross join lateral (
                select from market_order as o
                where o.collectible_id = candidate.collectible_id and o.collectible_id is not null and o.side = 'offer' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
                and o.valid_from <= now() and o.valid_until > now()
                and o.currency_id = other.currency_id and o.price_amount between other.low and other.high
                and o.price_amount >= case when other.currency_id = band.currency_id then candidate.price_amount
                when other.tier = band.tier then trunc(candidate.price_amount * band.unit / other.unit) - 1 when other.tier < band.tier then 0 else 115792089237316195423570985008687907853269984665640564039457584007913129639936 end
                and (other.tier, - o.price_amount * other.unit, o.made_at, o.order_id, o.id) < (band.tier, - candidate.price_amount * band.unit, candidate.made_at, candidate.order_id, candidate.id)
                limit 1
              ) as better
            ) else false end
            order by candidate.price_amount desc, candidate.made_at fetch first ($9::bigint + $8::int + 1) rows with ties
          ) as part
        ) as scanned where not (select is_enough from known)
      ) as found) as one
    union all
    select 3 as segment, collectible_id, token_id, tier, rank, made_at, order_id, id, created_at, updated_at, valid_until from (
      select 3 as segment, token.id as collectible_id, token.token_id, for_any.tier, for_any.rank, for_any.made_at, for_any.order_id, for_any.id, o.created_at, o.updated_at, o.valid_until
      from for_any
      join market_order as o on o.id = for_any.id
      cross join collectible as token
      where (select count(*) from for_any) > 0
      and (token.collection_id, token.token_id) > ((select id from here), -1)
      and (token.collection_id, token.token_id) <= ((select id from here), 115792089237316195423570985008687907853269984665640564039457584007913129639935)
      and (not token.is_undone or (token.origin = 'import' and token.deleted_because is null) or exists (
          select from market_order open_order
          where open_order.collectible_id = token.id and open_order.collectible_id is not null
          and open_order.status in ('active', 'inactive', 'decimals_missing') and open_order.deleted_at is null offset 0
      ))
      and not exists (
        select best.* from band cross join lateral (
          select band.tier, o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
          from market_order as o
          where o.collectible_id = token.id and o.side = 'listing' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
          and o.valid_from <= now() and o.valid_until > now()
          and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
          order by o.price_amount asc, o.made_at fetch first (1) rows with ties
        ) as best
        order by tier, rank, made_at, order_id, id
        limit 1)
      and case when (select are_known from own_offers) then token.id not in (select collectible_id from own_offer)
      else not exists (
        select from (
          select best.* from band cross join lateral (
            select band.tier, - o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
            from market_order as o
            where o.collectible_id = token.id and o.collectible_id is not null and o.side = 'offer' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
            and o.valid_from <= now() and o.valid_until > now()
            and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
            order by o.price_amount desc, o.made_at fetch first (1) rows with ties
          ) as best
          order by tier, rank, made_at, order_id, id
          limit 1) as own
        where (own.tier, own.rank, own.made_at, own.order_id, own.id) < (for_any.tier, for_any.rank, for_any.made_at, for_any.order_id, for_any.id)
      ) end
      order by token.collection_id, token.token_id limit $9::bigint + $8::int + 1) as one
  ) as part
  order by segment asc, tier asc, rank asc, made_at asc, order_id asc, id asc, token_id asc
  limit $9::bigint + $8::int + 1
), ranked as materialized (
  select *, row_number() over (order by segment asc, tier asc, rank asc, made_at asc, order_id asc, id asc, token_id asc) as place from (
    select * from (
      select * from priced
    ) as part
    order by segment asc, tier asc, rank asc, made_at asc, order_id asc, id asc, token_id asc
    limit $8::int + 1 offset $9::bigint
  ) as page
), shown as materialized (
  select ranked.place, ranked.collectible_id, case when ranked.segment in (1) then ranked.id when ranked.tier > 0 then coalesce((select id from (
        select best.* from band cross join lateral (
          select band.tier, o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
          from market_order as o
          where o.collectible_id = ranked.collectible_id and o.side = 'listing' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
          and o.valid_from <= now() and o.valid_until > now()
          and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
          order by o.price_amount asc, o.made_at fetch first (1) rows with ties
        ) as best
        order by tier, rank, made_at, order_id, id
        limit 1) as best), null) else (select id from (
      select best.* from band cross join lateral (
        select band.tier, o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
        from market_order as o
        where o.collectible_id = ranked.collectible_id and o.side = 'listing' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
        and o.valid_from <= now() and o.valid_until > now()
        and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
        order by o.price_amount asc, o.made_at fetch first (1) rows with ties
      ) as best
      order by tier, rank, made_at, order_id, id
      limit 1) as best) end as listing_id, case when ranked.segment in (2, 3) then ranked.id when ranked.tier > 0 then coalesce(case when (select are_known from own_offers) then coalesce(own_offer.id, (select id from for_any)) else (
      select id from (
        select * from for_any
        union all
        select * from (
          select best.* from band cross join lateral (
            select band.tier, - o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
            from market_order as o
            where o.collectible_id = ranked.collectible_id and o.collectible_id is not null and o.side = 'offer' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
            and o.valid_from <= now() and o.valid_until > now()
            and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
            order by o.price_amount desc, o.made_at fetch first (1) rows with ties
          ) as best
          order by tier, rank, made_at, order_id, id
          limit 1) as of_token
        order by tier, rank, made_at, order_id, id
        limit 1
      ) as best
    ) end, null) else case when (select are_known from own_offers) then coalesce(own_offer.id, (select id from for_any)) else (
    select id from (
      select * from for_any
      union all
      select * from (
        select best.* from band cross join lateral (
          select band.tier, - o.price_amount * band.unit as rank, o.made_at, o.order_id, o.id
          from market_order as o
          where o.collectible_id = ranked.collectible_id and o.collectible_id is not null and o.side = 'offer' and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0
          and o.valid_from <= now() and o.valid_until > now()
          and o.currency_id = band.currency_id and o.price_amount between band.low and band.high
          order by o.price_amount desc, o.made_at fetch first (1) rows with ties
        ) as best
        order by tier, rank, made_at, order_id, id
        limit 1) as of_token
      order by tier, rank, made_at, order_id, id
      limit 1
    ) as best
  ) end end as offer_id
  from ranked
  left join own_offer using (collectible_id)
  where ranked.place <= $8::int
)
select (
  select '[' || string_agg(concat('[', concat_ws(',', o.id, o.collection_id, coalesce((o.collectible_id)::text, 'null'), to_json(o.order_id), (o.valid_until <= now())::text, to_json(o.origin_name), to_json(o.slug), o.currency_id, o.quantity_decimals, o.fee_bps, o.fee_breakdown, to_json(o.valid_from at time zone 'UTC'), to_json(o.valid_until at time zone 'UTC'), greatest(o.block_number, o.changed_block), coalesce((to_json(o.order_created_at at time zone 'UTC'))::text, 'null'), coalesce((to_json(o.order_updated_at at time zone 'UTC'))::text, 'null'), to_json(o.created_at at time zone 'UTC'), to_json(o.updated_at at time zone 'UTC'), coalesce((to_json(o.deleted_at at time zone 'UTC'))::text, 'null')), ',"', concat_ws('","', o.marketplace, o.source, o.side, o.status, o.created_by, o.price_amount, o.quantity_initial, o.quantity_remaining, o.quantity_available), '"', ']'), ',' ) || ']'
  from market_order as o
  where o.id in (select listing_id from shown union select offer_id from shown)
) as orders, (
  select '[' || string_agg(concat('[', concat_ws(',', token.id, coalesce((shown.listing_id)::text, 'null'), coalesce((shown.offer_id)::text, 'null'), concat('[', concat_ws(',', to_json(token.name), coalesce((case when 'description' <> all(cut.omitted) then to_json(token.description) end)::text, 'null'), coalesce((case when 'image' <> all(cut.omitted) then to_json(token.image) end)::text, 'null'), coalesce((case when 'video' <> all(cut.omitted) then to_json(token.video) end)::text, 'null'), coalesce((case when 'audio' <> all(cut.omitted) then to_json(token.audio) end)::text, 'null'), coalesce((case when 'imageData' <> all(cut.omitted) then to_json(token.image_data) end)::text, 'null'), coalesce((case when 'externalUrl' <> all(cut.omitted) then to_json(token.external_url) end)::text, 'null'), coalesce((case when 'backgroundColor' <> all(cut.omitted) then to_json(token.background_color) end)::text, 'null'), coalesce((case when 'animationUrl' <> all(cut.omitted) then to_json(token.animation_url) end)::text, 'null'), coalesce((token.decimals)::text, 'null'), case when 'attributes' = any(cut.omitted) then '[]' else token.attributes end, coalesce((case when 'properties' <> all(cut.omitted) then token.properties end)::text, 'null'), coalesce((to_json(token.origin))::text, 'null'), coalesce((to_json(token.metadata_updated_at at time zone 'UTC'))::text, 'null'), to_json(cut.omitted)), ',"', concat_ws('","', token.token_id, token.status), '"', ']')), ']'), ',' order by shown.place) || ']'
  from shown
  join collectible as token on token.id = shown.collectible_id
  cross join lateral (
    select case
    when (coalesce(octet_length(token.description), 0) + coalesce(octet_length(token.image), 0) + coalesce(octet_length(token.video), 0) + coalesce(octet_length(token.audio), 0) + coalesce(octet_length(token.image_data), 0) + coalesce(octet_length(token.external_url), 0) + coalesce(octet_length(token.background_color), 0) + coalesce(octet_length(token.animation_url), 0)) * 6 + octet_length(token.attributes::text)
    + coalesce(octet_length(token.properties::text), 0) <= (1572864 / $8::int) then '{}'
    else array(
      select field from (
        select field, sum(size) over (order by size, field) as total from (values ('description', case when octet_length(token.description) > (1572864 / $8::int) then octet_length(token.description) else octet_length(to_json(token.description)::text) end), ('image', case when octet_length(token.image) > (1572864 / $8::int) then octet_length(token.image) else octet_length(to_json(token.image)::text) end), ('video', case when octet_length(token.video) > (1572864 / $8::int) then octet_length(token.video) else octet_length(to_json(token.video)::text) end), ('audio', case when octet_length(token.audio) > (1572864 / $8::int) then octet_length(token.audio) else octet_length(to_json(token.audio)::text) end), ('imageData', case when octet_length(token.image_data) > (1572864 / $8::int) then octet_length(token.image_data) else octet_length(to_json(token.image_data)::text) end), ('externalUrl', case when octet_length(token.external_url) > (1572864 / $8::int) then octet_length(token.external_url) else octet_length(to_json(token.external_url)::text) end), ('backgroundColor', case when octet_length(token.background_color) > (1572864 / $8::int) then octet_length(token.background_color) else octet_length(to_json(token.background_color)::text) end), ('animationUrl', case when octet_length(token.animation_url) > (1572864 / $8::int) then octet_length(token.animation_url) else octet_length(to_json(token.animation_url)::text) end), ('attributes', octet_length(token.attributes::text)), ('properties', octet_length(token.properties::text))) as sized (field, size)
        where size is not null
      ) as summed where total > (1572864 / $8::int)
    ) end as omitted
    offset 0
  ) as cut
) as entries, (
  select json_object_agg(collectible_id, assets) from (
    select collectible_id, json_agg(asset order by id) as assets from (
      select collectible_id, id, asset, sum(octet_length(asset::text)) over (partition by collectible_id order by id) as bytes from (
        select asset.collectible_id, asset.id, json_build_object(
          'id', asset.id, 'collectionId', asset.collection_id, 'metadataField', asset.metadata_field, 'url', asset.url,
          'filename', asset.filename, 'filesize', asset.filesize, 'mimeType', asset.mime_type, 'width', asset.width,
          'height', asset.height, 'updatedAt', asset.updated_at at time zone 'UTC'
        ) as asset
        from asset where asset.collectible_id in (select collectible_id from shown)
      ) as one
    ) as summed
    where bytes <= 524288 / $8::int
    group by collectible_id
  ) as one
) as assets, (
  select json_build_array((segment)::text, (tier)::text, (rank)::text, (made_at)::text, (order_id)::text, (id)::text, (token_id)::text) from ranked
  where place = $8::int and exists (select from ranked where place > $8::int)
) as "end"
