-- Hashes of blocks below the reorganisation window, to find the common ancestor after a deeper reorganisation. Limited to the newest
-- blocks. Of blocks that were read in ranges, only those with logs and the last one of each range.
create table follower_history (
  chain_id bigint not null references follower_cursor on delete cascade,
  number bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (chain_id, number)
);

-- Not needed to undo a block.
alter table follower_rewound alter column parent_hash drop not null;
