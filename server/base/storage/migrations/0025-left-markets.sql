-- Markets that the configuration has named while their chain was followed.
create table named_market (
  chain_id bigint not null,
  -- As in the configuration.
  kind text not null,
  address address not null,
  -- Null: still configured. Otherwise the last block whose events are derived.
  left_block bigint,
  primary key (chain_id, kind, address)
);

-- `spender` while the order's market was configured. Now the order is not followed.
alter table market_order add column left_spender address;
create index market_order_left on market_order (id) where left_spender is not null;
