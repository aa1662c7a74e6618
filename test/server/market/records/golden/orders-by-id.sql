with asked as (
  select * from unnest($2::text[], $3::text[], $4::market_kind[]) with ordinality as named (address, order_id, marketplace, place)
)
select found.data
from asked
cross join lateral (
  select concat('[', concat_ws(',', concat('[', concat_ws(',', o.id, o.collection_id, coalesce((o.collectible_id)::text, 'null'), to_json(o.order_id), (o.valid_until <= now())::text, to_json(o.origin_name), to_json(o.slug), o.currency_id, o.quantity_decimals, o.fee_bps, o.fee_breakdown, to_json(o.valid_from at time zone 'UTC'), to_json(o.valid_until at time zone 'UTC'), greatest(o.block_number, o.changed_block), coalesce((to_json(o.order_created_at at time zone 'UTC'))::text, 'null'), coalesce((to_json(o.order_updated_at at time zone 'UTC'))::text, 'null'), to_json(o.created_at at time zone 'UTC'), to_json(o.updated_at at time zone 'UTC'), coalesce((to_json(o.deleted_at at time zone 'UTC'))::text, 'null')), ',"', concat_ws('","', o.marketplace, o.source, o.side, o.status, o.created_by, o.price_amount, o.quantity_initial, o.quantity_remaining, o.quantity_available), '"', ']'), collection.chain_id, coalesce((to_json(token.token_id::text))::text, 'null'), concat('[', concat_ws(',', currency.decimals), ',"', concat_ws('","', currency.address), '"', ']')), ',"', concat_ws('","', collection.address), '"', ']') as data, o.marketplace
  from market_order as o
  join collection on collection.id = o.collection_id
  join currency on currency.id = o.currency_id
  left join collectible as token on token.id = o.collectible_id
  where o.collection_id = (select id from collection where chain_id = $1 and address = asked.address)
  and o.order_id = asked.order_id and (asked.marketplace is null or o.marketplace = asked.marketplace)
) as found
order by asked.place, found.marketplace
