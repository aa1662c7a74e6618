alter table follower_cursor
  -- The newest block that the nodes have told of.
  add column head bigint,
  -- An operator wants all from this block on to be given once more.
  add column rewind_to bigint;
