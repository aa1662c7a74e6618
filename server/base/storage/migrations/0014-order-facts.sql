-- Facts that decide whether the maker of an open order can fulfil it, and what is due to others. Read from the chain at a block,
-- and shared by the orders that depend on them.

-- One row for each chain with followed orders. Changes of facts, or of orders because of facts, lock this row first, so they are
-- serialized.
create table market_chain (
  chain_id bigint primary key,
  -- Increases with each contract whose events are needed from then on.
  revision bigint not null default 0,
  -- The last block whose events were checked; null: there may be a gap.
  seen_block bigint
);

-- Contracts whose events are needed: listed tokens, offered currencies.
create table market_contract (
  chain_id bigint not null,
  address address not null,
  -- Generation of the chain with which it was added.
  revision bigint not null,
  primary key (chain_id, address)
);

-- A holding: how many of a token a spender could take from its holder. A royalty: the share of a price that a market would pay
-- for a token.
create type market_fact_kind as enum ('holding', 'royalty');

create table market_fact (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  kind market_fact_kind not null,
  contract address not null,
  -- Null: a currency.
  token_id uint256,
  -- For a holding.
  holder address,
  -- The spender, or the payer.
  spender address not null,
  -- Of a royalty: in 10^-18 of the price. Null: unknown yet, or the contract did not report it.
  amount uint256,
  -- For a royalty.
  recipient address,
  -- Why the contract did not report it.
  reason text,
  -- Block at which it was read; null: not read, or the block has left the chain.
  read_block bigint,
  -- Values read at earlier blocks are outdated.
  wanted_block bigint not null default 0,
  is_due boolean not null generated always as (read_block is null or read_block < wanted_block) stored,
  read_at timestamptz,
  -- While a read is in flight: end of its lease.
  asked_until timestamptz,
  unique nulls not distinct (chain_id, contract, token_id, holder, spender, kind)
);
create index market_fact_holder on market_fact (chain_id, contract, holder);
create index market_fact_turn on market_fact (chain_id, is_due desc, read_at nulls first);

alter table market_order
  -- Who takes the sold tokens, or the price of an offer, from the maker: the market, or one of its conduits. Null: the order is
  -- not followed.
  add column spender address,
  -- For an offer: everything that its maker gives, in the smallest unit; null: price times quantity, plus a royalty.
  add column offered_amount numeric(78, 0) check (offered_amount >= 0),
  add column holding_id bigint,
  add column royalty_id bigint;

-- Open orders by the facts that they depend on, and those whose facts are unknown.
create index market_order_holding on market_order (holding_id)
  where holding_id is not null and status in ('active', 'inactive', 'decimals_missing');
create index market_order_royalty on market_order (royalty_id)
  where royalty_id is not null and status in ('active', 'inactive', 'decimals_missing');
create index market_order_unwatched on market_order (id)
  where spender is not null and holding_id is null and status in ('active', 'inactive', 'decimals_missing');

-- Also expires orders that are not available.
drop index order_end;
create index order_end on market_order (valid_until) where status in ('active', 'inactive') and deleted_at is null;
