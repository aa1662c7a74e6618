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
        select 2 as segment, band.tier, - candidate.price_amount * band.unit as rank, candidate.id, candidate.collectible_id, candidate.made_at, candidate.order_id
        from market_order as candidate
        where candidate.collection_id = (select id from here) and candidate.collectible_id is not null and candidate.side = 'offer'
        and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
        and candidate.valid_from <= now() and candidate.valid_until > now()
        and candidate.currency_id = band.currency_id and candidate.price_amount between band.low and band.high
        and band.tier >= $11::int and candidate.price_amount <= case when band.tier = $11::int then trunc(- $12::numeric / band.unit) + 1 else 115792089237316195423570985008687907853269984665640564039457584007913129639935 end and (band.tier, - candidate.price_amount * band.unit, candidate.made_at, candidate.order_id, candidate.id) > ($11::int, $12::numeric, $13::timestamptz, $14::text, $15::bigint) order by candidate.price_amount desc, candidate.made_at fetch first ($10::bigint + $9::int + 1) rows with ties
      ) as part union all
      select part.* from gap cross join lateral (
        select 3 as segment, candidate.currency_id as tier, candidate.price_amount as rank, candidate.id, candidate.collectible_id, candidate.made_at, candidate.order_id
        from market_order as candidate
        where candidate.collection_id = (select id from here) and candidate.collectible_id is not null and candidate.side = 'listing'
        and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
        and candidate.valid_from <= now() and candidate.valid_until > now() and candidate.currency_id > gap.low and candidate.currency_id < gap.high
        order by candidate.currency_id, candidate.price_amount asc, candidate.made_at, candidate.order_id, candidate.id
        limit $10::bigint + $9::int + 1
      ) as part union all
      select part.* from gap cross join lateral (
        select 4 as segment, candidate.currency_id as tier, - candidate.price_amount as rank, candidate.id, candidate.collectible_id, candidate.made_at, candidate.order_id
        from market_order as candidate
        where candidate.collection_id = (select id from here) and candidate.collectible_id is not null and candidate.side = 'offer'
        and candidate.status = 'active' and candidate.deleted_at is null and candidate.quantity_available > 0
        and candidate.valid_from <= now() and candidate.valid_until > now() and candidate.currency_id > gap.low and candidate.currency_id < gap.high
        order by candidate.currency_id, candidate.price_amount desc, candidate.made_at, candidate.order_id, candidate.id
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
  select '[' || string_agg(concat('[', concat_ws(',', token.id, concat('[', concat_ws(',', to_json(token.name), coalesce((case when 'description' <> all(cut.omitted) then to_json(token.description) end)::text, 'null'), coalesce((case when 'image' <> all(cut.omitted) then to_json(token.image) end)::text, 'null'), coalesce((case when 'video' <> all(cut.omitted) then to_json(token.video) end)::text, 'null'), coalesce((case when 'audio' <> all(cut.omitted) then to_json(token.audio) end)::text, 'null'), coalesce((case when 'imageData' <> all(cut.omitted) then to_json(token.image_data) end)::text, 'null'), coalesce((case when 'externalUrl' <> all(cut.omitted) then to_json(token.external_url) end)::text, 'null'), coalesce((case when 'backgroundColor' <> all(cut.omitted) then to_json(token.background_color) end)::text, 'null'), coalesce((case when 'animationUrl' <> all(cut.omitted) then to_json(token.animation_url) end)::text, 'null'), coalesce((token.decimals)::text, 'null'), case when 'attributes' = any(cut.omitted) then '[]' else token.attributes end, coalesce((case when 'properties' <> all(cut.omitted) then token.properties end)::text, 'null'), coalesce((to_json(token.origin))::text, 'null'), coalesce((to_json(token.metadata_updated_at at time zone 'UTC'))::text, 'null'), to_json(cut.omitted)), ',"', concat_ws('","', token.token_id, token.status), '"', ']')), ']'), ',' ) || ']'
  from collectible as token cross join lateral (
    select case
    when (coalesce(octet_length(token.description), 0) + coalesce(octet_length(token.image), 0) + coalesce(octet_length(token.video), 0) + coalesce(octet_length(token.audio), 0) + coalesce(octet_length(token.image_data), 0) + coalesce(octet_length(token.external_url), 0) + coalesce(octet_length(token.background_color), 0) + coalesce(octet_length(token.animation_url), 0)) * 6 + octet_length(token.attributes::text)
    + coalesce(octet_length(token.properties::text), 0) <= (1572864 / $9::int) then '{}'
    else array(
      select field from (
        select field, sum(size) over (order by size, field) as total from (values ('description', case when octet_length(token.description) > (1572864 / $9::int) then octet_length(token.description) else octet_length(to_json(token.description)::text) end), ('image', case when octet_length(token.image) > (1572864 / $9::int) then octet_length(token.image) else octet_length(to_json(token.image)::text) end), ('video', case when octet_length(token.video) > (1572864 / $9::int) then octet_length(token.video) else octet_length(to_json(token.video)::text) end), ('audio', case when octet_length(token.audio) > (1572864 / $9::int) then octet_length(token.audio) else octet_length(to_json(token.audio)::text) end), ('imageData', case when octet_length(token.image_data) > (1572864 / $9::int) then octet_length(token.image_data) else octet_length(to_json(token.image_data)::text) end), ('externalUrl', case when octet_length(token.external_url) > (1572864 / $9::int) then octet_length(token.external_url) else octet_length(to_json(token.external_url)::text) end), ('backgroundColor', case when octet_length(token.background_color) > (1572864 / $9::int) then octet_length(token.background_color) else octet_length(to_json(token.background_color)::text) end), ('animationUrl', case when octet_length(token.animation_url) > (1572864 / $9::int) then octet_length(token.animation_url) else octet_length(to_json(token.animation_url)::text) end), ('attributes', octet_length(token.attributes::text)), ('properties', octet_length(token.properties::text))) as sized (field, size)
        where size is not null
      ) as summed where total > (1572864 / $9::int)
    ) end as omitted
    offset 0
  ) as cut
  where token.id in (select collectible_id from page where place <= $9::int)
) as tokens, (
  select json_object_agg(collectible_id, assets) from (
    select collectible_id, json_agg(asset order by id) as assets from (
      select collectible_id, id, asset, sum(octet_length(asset::text)) over (partition by collectible_id order by id) as bytes from (
        select asset.collectible_id, asset.id, json_build_object(
          'id', asset.id, 'collectionId', asset.collection_id, 'metadataField', asset.metadata_field, 'url', asset.url,
          'filename', asset.filename, 'filesize', asset.filesize, 'mimeType', asset.mime_type, 'width', asset.width,
          'height', asset.height, 'updatedAt', asset.updated_at at time zone 'UTC'
        ) as asset
        from asset where asset.collectible_id in (select collectible_id from page where place <= $9::int)
      ) as one
    ) as summed
    where bytes <= 524288 / $9::int
    group by collectible_id
  ) as one
) as assets, (
  select json_build_array((segment)::text, (tier)::text, (rank)::text, (made_at)::text, (order_id)::text, (id)::text, (id)::text) from page
  where place = $9::int and exists (select from page where place > $9::int)
) as "end"
