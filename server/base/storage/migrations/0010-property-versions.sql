-- By which readers see whether what they remember of a collection's properties still holds: it grows with each change of them, in the
-- transaction of that change.
alter table collection add column properties_version bigint not null default 0;

-- After each statement, for all tokens that it made or of which it changed what they can be filtered by.
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
  -- One writer a collection at a time: two that met at the same values in another order would wait for each other.
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
