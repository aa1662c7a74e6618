-- Progress of each followed chain. Committed together with the derived records.
create table follower_cursor (
  chain_id bigint primary key,
  -- The first requested block. Earlier blocks have no records.
  first_block bigint not null,
  -- The last block whose records are stored; first_block - 1 at the start.
  block_number bigint not null,
  -- Null: the block before the next one is unknown.
  block_hash bytea check (octet_length(block_hash) = 32),
  -- Increases with each follower that takes over. A follower that was wrongly declared dead can no longer commit.
  epoch bigint not null default 0,
  -- Behind a pooler, which has no session locks: end of the holder's lease.
  leased_until timestamptz,
  -- Why the follower waits for its operator.
  stopped text,
  updated_at timestamptz not null default now()
);

-- Blocks that a reorganisation may still remove.
create table follower_block (
  chain_id bigint not null references follower_cursor on delete cascade,
  number bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  parent_hash bytea not null check (octet_length(parent_hash) = 32),
  primary key (chain_id, number)
);

-- Records that a deriver failed to derive and skipped.
create table follower_parked (
  id bigint generated always as identity primary key,
  chain_id bigint not null references follower_cursor on delete cascade,
  deriver text not null,
  step text not null check (step in ('added', 'removed')),
  block_number bigint not null,
  block_hash bytea not null,
  -- Null: the whole block.
  log_index int,
  reason text not null,
  parked_at timestamptz not null default now()
);
create index follower_parked_block on follower_parked (chain_id, block_number);
