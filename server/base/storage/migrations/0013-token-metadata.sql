-- What is read off the chain about tokens: who holds them, and what they say of themselves.

-- Of each chain with followed collections.
create table token_network (
  chain_id bigint primary key,
  -- Grows with each change of what is followed.
  revision bigint not null default 0,
  -- The last block of which what it did can no longer be undone.
  settled_block bigint not null default -1,
  -- The last block that was read.
  last_block bigint not null default -1
);

-- Collections whose events are read. What a block up to `known_through` did is known, or not wanted.
create table followed_collection (
  collection_id bigint primary key references collection,
  -- False: an operator wants it no more, whoever names it.
  is_followed boolean not null default true,
  known_through bigint not null,
  -- History that was asked for and has not begun to come.
  is_waiting boolean not null default false,
  followed_by text not null check (followed_by in ('setting', 'operator', 'order')),
  created_at timestamptz not null default now()
);

-- What blocks that may still leave have done to owners: how many somebody had before (no owner: the token was new). Undone from
-- the last row to the first.
create table token_undo (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  block_number bigint not null,
  collectible_id bigint not null,
  owner address,
  quantity uint256
);
create index token_undo_block on token_undo (chain_id, block_number);

-- The queue of tokens whose metadata is to be read, and how the last reading ended.
create table token_read (
  collectible_id bigint primary key references collectible on delete cascade,
  -- Null: nothing is to be done. While somebody reads: when another one may.
  due_at timestamptz,
  -- Grows with each wish, so that a reading which began before it does not fulfil it.
  wish bigint not null default 1,
  -- The block of the last wish; null: it was no block's.
  wish_block bigint,
  -- An operator wants it, also in the place of what was imported.
  is_forced boolean not null default false,
  uri text,
  -- Readings that failed one after the other.
  failures int not null default 0,
  -- Why the last reading failed; null: it did not.
  reason text,
  read_at timestamptz
);
create index token_read_due on token_read (due_at) where due_at is not null;
create index token_read_wish_block on token_read (wish_block) where wish_block is not null;
