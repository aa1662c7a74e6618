-- Block in which the market last changed the order after `block_number`, which created it. Null: no known change.
alter table market_order add column changed_block bigint;

-- The same before the block; null: the order was unchanged since its creation.
alter table market_undo add column changed_block bigint;

-- Earlier versions only kept the blocks of changes to Sequence orders for reversible blocks. Orders that changed before then keep
-- the block that created them.
update market_order known set changed_block = latest.block_number
from (select order_id, max(block_number) as block_number from market_undo group by order_id) latest
where known.id = latest.order_id;

update market_undo known set changed_block = earlier.block_number
from (select id, lag(block_number) over (partition by order_id order by id) as block_number from market_undo) earlier
where known.id = earlier.id;

-- Every change of a Seaport order is stored.
update market_order known set changed_block = latest.block_number
from (
  select made.order_id, max(change.block_number) as block_number
  from seaport_order made
  join market_order o on o.id = made.order_id
  cross join lateral (
    select block_number, at from seaport_change
    where chain_id = made.chain_id and order_hash = made.order_hash and kind in ('filled', 'cancelled')
    union all
    select block_number, at from seaport_change
    where chain_id = made.chain_id and offerer = made.offerer and kind = 'counter' and o.status = 'cancelled'
  ) change
  where change.at = o.order_updated_at
  group by made.order_id
) latest
where known.id = latest.order_id and known.origin = 'chain';
