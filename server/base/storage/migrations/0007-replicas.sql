-- Hosts that share this database. Each updates its row every few seconds.
create table replica (
  id uuid primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
