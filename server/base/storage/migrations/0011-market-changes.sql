-- Order events of markets on chains, one row per log. An order results from its events, so removing a block removes their effect.
-- Kept forever, like orders; some 150 bytes per row.
create type market_change_kind as enum ('created', 'accepted', 'cancelled', 'invalidated');

create table market_change (
  chain_id bigint not null,
  block_hash bytea not null,
  log_index int not null,
  block_number bigint not null,
  -- Time of the block.
  at timestamptz not null,
  marketplace market_kind not null,
  kind market_change_kind not null,
  -- Number of the request at the market, from 0; null if many orders of a maker are invalidated.
  request_id uint256,
  -- The maker who created the request, or invalidated requests.
  maker address,
  -- Contract of the token; null if the event does not name one.
  collection address,
  -- Remaining quantity after an acceptance.
  remaining uint256,
  -- Requests with lower numbers are invalid.
  below uint256,
  primary key (chain_id, block_hash, log_index)
);
create index market_change_request on market_change (chain_id, marketplace, request_id, kind, block_number, log_index)
  where request_id is not null;
create index market_change_maker on market_change (chain_id, marketplace, maker, kind) where maker is not null;

-- False: the number of decimals is unknown. Orders in the currency are `decimals_missing` until it is known.
alter table currency add column is_known boolean not null default true;
alter table currency add column asked_at timestamptz;
create index currency_unknown on currency (chain_id) where not is_known;
create index market_order_decimals_missing on market_order (currency_id) where status = 'decimals_missing';
