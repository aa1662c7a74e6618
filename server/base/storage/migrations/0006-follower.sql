-- How far each chain is followed. Committed together with what was derived up to there.
create table follower_cursor (
  chain_id bigint primary key,
  -- The first block that was asked for: what is below it has no records, and needs none.
  first_block bigint not null,
  -- The last block whose records are written; first_block - 1 at the start.
  block_number bigint not null,
  -- Null where the block before the first one to come is not known.
  block_hash bytea check (octet_length(block_hash) = 32),
  -- Grows with each follower that takes over: one that was declared dead and is not can commit no more.
  epoch bigint not null default 0,
  -- Behind a pooler, which keeps no session locks: until when the holder need not be replaced.
  leased_until timestamptz,
  -- Why the follower waits for its operator.
  stopped text,
  updated_at timestamptz not null default now()
);

-- Blocks that may still leave the chain.
create table follower_block (
  chain_id bigint not null references follower_cursor on delete cascade,
  number bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  parent_hash bytea not null check (octet_length(parent_hash) = 32),
  primary key (chain_id, number)
);

-- What a deriver failed at, and was passed over.
create table follower_parked (
  id bigint generated always as identity primary key,
  chain_id bigint not null references follower_cursor on delete cascade,
  deriver text not null,
  step text not null check (step in ('added', 'removed')),
  block_number bigint not null,
  block_hash bytea not null,
  -- Null: the block as a whole.
  log_index int,
  reason text not null,
  parked_at timestamptz not null default now()
);
create index follower_parked_block on follower_parked (chain_id, block_number);
