-- Token data that is read from chains: owners and metadata.

-- One row for each chain with followed collections.
create table token_network (
  chain_id bigint primary key,
  -- Increases with each change of the followed collections.
  revision bigint not null default 0,
  -- The last block whose effects can no longer be undone.
  settled_block bigint not null default -1,
  -- The last block that was read.
  last_block bigint not null default -1
);

-- Collections whose events are read. Blocks up to `known_through` are done, or not needed.
create table followed_collection (
  collection_id bigint primary key references collection,
  -- False: an operator has removed it, whoever else names it.
  is_followed boolean not null default true,
  known_through bigint not null,
  -- Requested history whose reading has not begun.
  is_waiting boolean not null default false,
  followed_by text not null check (followed_by in ('setting', 'operator', 'order')),
  created_at timestamptz not null default now()
);

-- Effects of reversible blocks on owners: the amount before. Without an owner: the token was new. Undone from the last row to the
-- first.
create table token_undo (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  block_number bigint not null,
  collectible_id bigint not null,
  owner address,
  quantity uint256
);
create index token_undo_block on token_undo (chain_id, block_number);

-- Queue of tokens whose metadata must be read, with the result of the last read.
create table token_read (
  collectible_id bigint primary key references collectible on delete cascade,
  -- Null: nothing to do. While a read is in flight: when another reader may take over.
  due_at timestamptz,
  -- Increases with each request, so that a read that began earlier does not fulfil it.
  wish bigint not null default 1,
  -- Block of the last request; null: not requested by a block.
  wish_block bigint,
  -- Requested by an operator; also replaces imported metadata.
  is_forced boolean not null default false,
  uri text,
  -- Consecutive failures.
  failures int not null default 0,
  -- Why the last read failed; null: it succeeded.
  reason text,
  read_at timestamptz
);
create index token_read_due on token_read (due_at) where due_at is not null;
create index token_read_wish_block on token_read (wish_block) where wish_block is not null;
