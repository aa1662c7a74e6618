-- Markets that the configuration has named while their chain was followed.
create table named_market (
  chain_id bigint not null,
  -- As in the configuration.
  kind text not null,
  address address not null,
  -- Null: it is named. Otherwise it was until this block, the last one of which its events are derived.
  left_block bigint,
  primary key (chain_id, kind, address)
);

-- What `spender` was while the market of the order was named: now nobody follows the order.
alter table market_order add column left_spender address;
create index market_order_left on market_order (id) where left_spender is not null;
