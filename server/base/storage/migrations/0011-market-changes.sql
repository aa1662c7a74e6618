-- What markets on chains say of their orders, one row a log: an order is what these make of it, so that a block that leaves takes its
-- share with it. Kept for ever, as orders are; some 150 bytes a row.
create type market_change_kind as enum ('created', 'accepted', 'cancelled', 'invalidated');

create table market_change (
  chain_id bigint not null,
  block_hash bytea not null,
  log_index int not null,
  block_number bigint not null,
  -- Of the block.
  at timestamptz not null,
  marketplace market_kind not null,
  kind market_change_kind not null,
  -- Of the market, counted from 0; null where many orders of one maker are invalidated.
  request_id uint256,
  -- Who created it, or invalidates.
  maker address,
  -- Of the token; null where it does not matter.
  collection address,
  -- What is left after an acceptance.
  remaining uint256,
  -- Requests of lower numbers are invalid.
  below uint256,
  primary key (chain_id, block_hash, log_index)
);
create index market_change_request on market_change (chain_id, marketplace, request_id, kind, block_number, log_index)
  where request_id is not null;
create index market_change_maker on market_change (chain_id, marketplace, maker, kind) where maker is not null;

-- False: nobody has said yet how many digits it has. Its orders are `decimals_missing` until somebody has.
alter table currency add column is_known boolean not null default true;
alter table currency add column asked_at timestamptz;
create index currency_unknown on currency (chain_id) where not is_known;
create index market_order_decimals_missing on market_order (currency_id) where status = 'decimals_missing';
