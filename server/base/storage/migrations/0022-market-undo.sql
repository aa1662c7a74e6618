-- Effects of reversible blocks on orders of the Sequence markets, one row per order and block: the order before the block.
-- Replaces one row per event that was kept forever and needed three indexes.
create table market_undo (
  -- Of two rows of the same order, the lower one has the state before both.
  id bigint generated always as identity,
  chain_id bigint not null,
  block_number bigint not null,
  order_id bigint not null,
  -- Null, like the following columns: the block created the order.
  remaining uint256,
  is_cancelled boolean,
  changed_at timestamptz
);
create index market_undo_block on market_undo (chain_id, block_number);

-- Orders that may still change, by maker.
create index market_order_maker on market_order (created_by)
  where origin = 'chain' and status in ('active', 'inactive', 'decimals_missing', 'expired');

insert into market_undo (chain_id, block_number, order_id, remaining, is_cancelled, changed_at)
select change.chain_id, change.block_number, o.id,
  case when change.kind <> 'created' then coalesce(accepted.remaining, o.quantity_initial) end,
  case when change.kind <> 'created' then false end,
  case when change.kind <> 'created' then coalesce(accepted.at, o.order_created_at) end
from market_change change
join follower_block block on block.chain_id = change.chain_id and block.hash = change.block_hash
join market_change made on made.chain_id = change.chain_id and made.marketplace = change.marketplace and made.kind = 'created'
  and case when change.kind = 'invalidated' then made.maker = change.maker and made.request_id < change.below
      and coalesce(change.collection, made.collection) = made.collection
    else made.request_id = change.request_id end
join collection on collection.chain_id = change.chain_id and collection.address = made.collection
join market_order o on o.collection_id = collection.id and o.order_id = made.request_id::text and o.marketplace = made.marketplace
  and o.origin = 'chain' and (change.kind <> 'invalidated' or (o.status = 'cancelled' and o.order_updated_at = change.at))
left join lateral (
  select remaining, at from market_change earlier
  where earlier.chain_id = change.chain_id and earlier.marketplace = change.marketplace and earlier.request_id = made.request_id
    and earlier.kind = 'accepted' and (earlier.block_number, earlier.log_index) < (change.block_number, change.log_index)
  order by block_number desc, log_index desc limit 1
) accepted on true
order by change.chain_id, change.block_number, change.log_index;

drop table market_change;
drop type market_change_kind;
