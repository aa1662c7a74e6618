-- How following a chain goes, as reported by hosts. Apart from follower_cursor, whose row is locked while blocks are committed.
create table follower_health (
  chain_id bigint primary key,
  -- When a host that follows the chain, or fails to, last reported.
  reported_at timestamptz not null default now(),
  -- The newest block of the nodes.
  head bigint,
  -- Null: the last attempt to advance succeeded.
  failing_since timestamptz,
  -- In words, for the operator.
  failure text,
  check ((failing_since is null) = (failure is null))
);
