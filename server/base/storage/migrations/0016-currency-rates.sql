-- What the chain says a currency is worth, of those whose configuration names a feed or a pool for it: the last answer of each.
create table currency_rate (
  currency_id int primary key references currency,
  -- `feed 0x…` or `pool 0x…`.
  source text not null,
  -- US dollars for one whole unit; null: the answer is none that is used.
  usd_rate numeric check (usd_rate > 0 and usd_rate < 1e18),
  -- From then on it is too old to be used.
  good_until timestamptz,
  -- When the source says that it was made.
  told_at timestamptz,
  -- Why it is not used.
  reason text,
  read_at timestamptz not null
);
