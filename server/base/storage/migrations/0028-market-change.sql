-- Notifies every host of changes that the market's reads show, so that a host knows from memory whether a response is still current
-- (server/market/etags/). The message names what has changed: `<chain id> <collection> <table>`, `<chain id> currency`, or
-- `<chain id>` alone for everything of a chain. Postgres sends equal messages of one transaction once, at its commit.
-- Writers take no lock for this, unlike with a counter in a table: they would wait for each other, or deadlock.

-- Reads only new rows of updates: no row moves to another collection.
create function notify_market_change() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  if tg_table_name = 'collectible_owner' then
    ids := array(
      select distinct collection_id from collectible where id = any(array(select distinct collectible_id from changed))
    );
  else
    ids := array(select distinct collection_id from changed);
  end if;
  perform pg_notify('market_change', message) from (
    select distinct
      case when cardinality(ids) <= 100 then concat_ws(' ', chain_id, address, tg_table_name) else chain_id::text end as message
    from collection where id = any(ids)
  ) as one;
  return null;
end
$$;

create trigger notify_insert after insert on market_order
  referencing new table as changed for each statement execute function notify_market_change();
create trigger notify_update after update on market_order
  referencing new table as changed for each statement execute function notify_market_change();
create trigger notify_delete after delete on market_order
  referencing old table as changed for each statement execute function notify_market_change();

create trigger notify_insert after insert on collectible
  referencing new table as changed for each statement execute function notify_market_change();
create trigger notify_update after update on collectible
  referencing new table as changed for each statement execute function notify_market_change();
create trigger notify_delete after delete on collectible
  referencing old table as changed for each statement execute function notify_market_change();

create trigger notify_insert after insert on asset
  referencing new table as changed for each statement execute function notify_market_change();
create trigger notify_update after update on asset
  referencing new table as changed for each statement execute function notify_market_change();
create trigger notify_delete after delete on asset
  referencing old table as changed for each statement execute function notify_market_change();

create trigger notify_insert after insert on collectible_owner
  referencing new table as changed for each statement execute function notify_market_change();
create trigger notify_update after update on collectible_owner
  referencing new table as changed for each statement execute function notify_market_change();
create trigger notify_delete after delete on collectible_owner
  referencing old table as changed for each statement execute function notify_market_change();

-- A rate that is read again usually stays the same and ends later. Readers see that change only at the earlier end; if it is more
-- than 10 seconds away, the change is committed before.
create function notify_currency_change() returns trigger language plpgsql as $$
declare
  ids int[];
begin
  if tg_table_name = 'currency' then
    ids := array(
      select id from added join removed using (id)
      where (added.address, added.decimals, added.usd_rate) is distinct from (removed.address, removed.decimals, removed.usd_rate)
    );
  elsif tg_op = 'UPDATE' then
    ids := array(
      select currency_id from added join removed using (currency_id)
      where added.usd_rate is distinct from removed.usd_rate or added.usd_rate is not null and not coalesce(
        added.good_until >= removed.good_until and removed.good_until > clock_timestamp() + interval '10 seconds', false
      )
    );
  elsif tg_op = 'INSERT' then
    ids := array(select currency_id from added);
  else
    ids := array(select currency_id from removed);
  end if;
  perform pg_notify('market_change', message) from (
    select distinct chain_id || ' currency' as message from currency where id = any(ids)
  ) as one;
  return null;
end
$$;

-- No order names a new currency yet, and currencies are not deleted.
create trigger notify_update after update on currency
  referencing old table as removed new table as added for each statement execute function notify_currency_change();

create trigger notify_insert after insert on currency_rate
  referencing new table as added for each statement execute function notify_currency_change();
create trigger notify_update after update on currency_rate
  referencing old table as removed new table as added for each statement execute function notify_currency_change();
create trigger notify_delete after delete on currency_rate
  referencing old table as removed for each statement execute function notify_currency_change();

-- Orders that end or start soon. GetOrders shows the end of withdrawn orders, too. Few orders start after they were created. The
-- predicate has no column that updates change, such as `updated_at`: each update would write to all indexes.
drop index order_end;
create index order_end on market_order (valid_until) where status in ('active', 'inactive');
create index order_start on market_order (valid_from)
  where status = 'active' and deleted_at is null and valid_from > created_at;
