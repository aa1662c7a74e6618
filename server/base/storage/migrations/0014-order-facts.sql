-- What contracts say that decides whether the maker of an open order can give what was promised, and what is due to others: read off the
-- chain as of a block, and shared by the orders that hang on it.

-- Of each chain with followed orders. Who changes facts, or orders because of facts, locks its row first: so they take turns.
create table market_chain (
  chain_id bigint primary key,
  -- Grows with each contract whose events are wanted from then on.
  revision bigint not null default 0,
  -- The last block of which the events were looked at; null: there may be a gap.
  seen_block bigint
);

-- Contracts of which the events are wanted: tokens that are listed, currencies that are offered.
create table market_contract (
  chain_id bigint not null,
  address address not null,
  -- Of the chain, with which it came.
  revision bigint not null,
  primary key (chain_id, address)
);

-- A holding: how many of a token somebody could take from its holder. A royalty: the share of a price that a market would pay for a token.
create type market_fact_kind as enum ('holding', 'royalty');

create table market_fact (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  kind market_fact_kind not null,
  contract address not null,
  -- Null: of a currency.
  token_id uint256,
  -- Of a holding.
  holder address,
  -- Who would take, or pay.
  spender address not null,
  -- Of a royalty in 10^-18 of the price. Null: not known yet, or the contract did not say.
  amount uint256,
  -- Of a royalty.
  recipient address,
  -- Why the contract did not say.
  reason text,
  -- As of which block it was read; null: it was not, or that block has left the chain.
  read_block bigint,
  -- What was read as of an earlier block does not hold any more.
  wanted_block bigint not null default 0,
  is_due boolean not null generated always as (read_block is null or read_block < wanted_block) stored,
  read_at timestamptz,
  -- While somebody reads it: until when the others leave it alone.
  asked_until timestamptz,
  unique nulls not distinct (chain_id, contract, token_id, holder, spender, kind)
);
create index market_fact_holder on market_fact (chain_id, contract, holder);
create index market_fact_turn on market_fact (chain_id, is_due desc, read_at nulls first);

alter table market_order
  -- Who takes from the maker what is sold, or the price of what is bought: the market, or a conduit of it. Null: nobody follows the order.
  add column spender address,
  -- Of an offer: all that its maker gives, in the smallest unit; null: price by quantity, and a royalty on top of it.
  add column offered_amount numeric(78, 0) check (offered_amount >= 0),
  add column holding_id bigint,
  add column royalty_id bigint;

-- Open orders by what they hang on, and those of which nobody knows yet on what.
create index market_order_holding on market_order (holding_id)
  where holding_id is not null and status in ('active', 'inactive', 'decimals_missing');
create index market_order_royalty on market_order (royalty_id)
  where royalty_id is not null and status in ('active', 'inactive', 'decimals_missing');
create index market_order_unwatched on market_order (id)
  where spender is not null and holding_id is null and status in ('active', 'inactive', 'decimals_missing');

-- The time of an order that is not available is up like that of another.
drop index order_end;
create index order_end on market_order (valid_until) where status in ('active', 'inactive') and deleted_at is null;
