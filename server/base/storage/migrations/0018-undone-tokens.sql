-- Tokens are never deleted, because orders may name them. One that only blocks have told of which have left the chain is none that a
-- collection has, until a block or an import tells of it again.
alter table collectible add column is_undone boolean not null default false;
