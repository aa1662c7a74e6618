-- Tokens are never deleted, because orders may name them. A token that was only reported by removed blocks is hidden until a
-- block or an import reports it again.
alter table collectible add column is_undone boolean not null default false;
