-- Which hosts share this database right now: each writes its row again every few seconds.
create table replica (
  id uuid primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
