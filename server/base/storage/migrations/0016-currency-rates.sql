-- The last rate of each currency from the feed or pool in its configuration.
create table currency_rate (
  currency_id int primary key references currency,
  -- `feed 0x…` or `pool 0x…`.
  source text not null,
  -- US dollars for one whole unit; null: the rate is not usable.
  usd_rate numeric check (usd_rate > 0 and usd_rate < 1e18),
  -- When the rate becomes too old to be used.
  good_until timestamptz,
  -- Time of the rate according to its source.
  told_at timestamptz,
  -- Why it is not usable.
  reason text,
  read_at timestamptz not null
);
