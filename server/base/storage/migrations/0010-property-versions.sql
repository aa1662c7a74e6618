-- Tells readers whether their cached properties of a collection are current: increases with each change, in the transaction of
-- the change.
alter table collection add column properties_version bigint not null default 0;

-- Runs after each statement, for all tokens whose filterable values it has created or changed.
create or replace function index_properties() returns trigger language plpgsql as $$
declare
  changed bigint[];
begin
  if tg_op = 'INSERT' then
    changed := array(
      select id from added where attributes::text <> '[]' or properties is not null
    );
  else
    changed := array(
      select added.id from added join removed using (id)
      where added.attributes::text <> removed.attributes::text
        or added.properties::text is distinct from removed.properties::text
    );
  end if;
  if cardinality(changed) = 0 then
    return null;
  end if;
  -- One writer per collection at a time: two writers that reach the same values in different orders would deadlock.
  perform 1 from collection
    where id in (select collection_id from collectible where collectible.id = any(changed))
    order by id for no key update;
  if tg_op = 'UPDATE' then
    perform forget_properties(changed);
  end if;
  perform note_properties(changed);
  update collection set properties_version = properties_version + 1
    where id in (select collection_id from collectible where collectible.id = any(changed));
  return null;
end
$$;
