-- Logs of final blocks as nodes returned them, to derive records again without asking the nodes.

-- Which logs chunks contain: those of any of these contracts with any of these first topics. Null: all.
create table follower_archive_coverage (
  id bigint generated always as identity primary key,
  chain_id bigint not null references follower_cursor on delete cascade,
  addresses bytea[],
  topics bytea[],
  -- Whether the logs have their index within their transaction.
  has_indexes boolean not null,
  -- SHA-256 of the columns above.
  digest bytea not null check (octet_length(digest) = 32),
  unique (chain_id, digest)
);

create table follower_archive (
  id bigint generated always as identity primary key,
  chain_id bigint not null references follower_cursor on delete cascade,
  -- The blocks for which the chunk is used. Its data may have more.
  from_block bigint not null,
  to_block bigint not null check (to_block >= from_block),
  coverage_id bigint not null references follower_archive_coverage,
  bytes int not null,
  -- SHA-256 of the data, which is compressed with gzip.
  digest bytea not null check (octet_length(digest) = 32),
  data bytea not null
);
create index follower_archive_block on follower_archive (chain_id, from_block);
create index follower_archive_coverage_id on follower_archive (coverage_id);

-- The data is compressed already.
alter table follower_archive alter column data set storage external;
