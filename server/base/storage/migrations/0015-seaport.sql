-- Seaport orders are signed by their makers and on no chain. The chain says how much of one was filled, that it was cancelled, and that
-- its maker has another counter, one row a log: what an order is now follows from what was known when it came, and from these.

create type seaport_change_kind as enum ('filled', 'cancelled', 'validated', 'counter');

-- Of all orders, also of those that are not kept here: one may come later, and what happened before it came and leaves the chain again
-- is known. Some 150 bytes a row.
create table seaport_change (
  chain_id bigint not null,
  block_hash bytea not null,
  log_index int not null,
  block_number bigint not null,
  -- Of the block.
  at timestamptz not null,
  kind seaport_change_kind not null,
  -- Null for a counter, which is of all orders of its offerer.
  order_hash bytea,
  offerer address not null,
  -- How many tokens a fill has moved; null where they were not of one kind.
  quantity uint256,
  -- The new one.
  counter uint256,
  primary key (chain_id, block_hash, log_index)
);
create index seaport_change_order on seaport_change (chain_id, order_hash, kind, block_number, log_index) where order_hash is not null;
create index seaport_change_counter on seaport_change (chain_id, offerer, block_number, log_index) where kind = 'counter';

-- What an order of the market is besides.
create table seaport_order (
  order_id bigint primary key references market_order on delete cascade,
  chain_id bigint not null,
  order_hash bytea not null,
  offerer address not null,
  -- The one that it was signed with; null where the chain has accepted it and nobody has submitted it: a counter that comes later makes it void.
  counter uint256,
  -- Whether a change had told of that counter: without the change it is not the maker's any more.
  counter_was_told boolean not null default false,
  -- Tokens that were filled before the first change of it that is known here.
  filled_before uint256 not null default 0,
  -- As it was submitted; null where nobody has.
  signed json,
  unique (chain_id, order_hash)
);
create index seaport_order_offerer on seaport_order (chain_id, offerer);

alter table market_order
  -- Nobody can take less than all of it.
  add column is_whole boolean not null default false;
