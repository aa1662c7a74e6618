-- Seaport orders are signed by their makers and not stored on a chain. The chain reports fills, cancellations, and new counters
-- of makers, one row per log. The state of an order results from the submitted order and these rows.

create type seaport_change_kind as enum ('filled', 'cancelled', 'validated', 'counter');

-- For all orders, stored here or not: an order may be submitted later, and its earlier events must be known and reversible. Some
-- 150 bytes per row.
create table seaport_change (
  chain_id bigint not null,
  block_hash bytea not null,
  log_index int not null,
  block_number bigint not null,
  -- Time of the block.
  at timestamptz not null,
  kind seaport_change_kind not null,
  -- Null for a counter, which affects all orders of its offerer.
  order_hash bytea,
  offerer address not null,
  -- Tokens that a fill has moved; null if they were not of one kind.
  quantity uint256,
  -- The new counter.
  counter uint256,
  primary key (chain_id, block_hash, log_index)
);
create index seaport_change_order on seaport_change (chain_id, order_hash, kind, block_number, log_index) where order_hash is not null;
create index seaport_change_counter on seaport_change (chain_id, offerer, block_number, log_index) where kind = 'counter';

-- Seaport's additional fields of an order.
create table seaport_order (
  order_id bigint primary key references market_order on delete cascade,
  chain_id bigint not null,
  order_hash bytea not null,
  offerer address not null,
  -- Counter at the time of signing. Null: the chain has accepted the order and nobody has submitted it; a later counter makes it
  -- void.
  counter uint256,
  -- Whether an event reported this counter. If that event is undone, the counter no longer belongs to the maker.
  counter_was_told boolean not null default false,
  -- Tokens that were filled before the first event known here.
  filled_before uint256 not null default 0,
  -- The order as submitted; null: not submitted.
  signed json,
  unique (chain_id, order_hash)
);
create index seaport_order_offerer on seaport_order (chain_id, offerer);

alter table market_order
  -- The order can only be filled completely.
  add column is_whole boolean not null default false;
