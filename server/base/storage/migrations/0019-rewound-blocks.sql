-- Blocks that were notified before an operator requested them again, and that have not been derived again yet: they may leave the
-- chain meanwhile.
create table follower_rewound (
  chain_id bigint not null references follower_cursor on delete cascade,
  number bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  parent_hash bytea not null check (octet_length(parent_hash) = 32),
  primary key (chain_id, number)
);
