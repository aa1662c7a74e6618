-- Filterable properties of tokens: every name and value of their attributes and properties. The database maintains them, so that
-- writers of tokens need not do so, and readers need not scan the tokens.

-- `integer`: a JSON number that is an integer of at most 2^53 - 1. `text`: any other single value. `list`: the value was a list,
-- and `member`: a member of a list. `object`: not filterable. Lists and objects have no value.
create type property_kind as enum ('integer', 'text', 'member', 'list', 'object');

-- Every value of every property of a collection, once. Rows are created in the order in which values first appear, and are never
-- deleted.
create table property_value (
  id bigint generated always as identity primary key,
  collection_id bigint not null references collection,
  name text not null collate "C",
  kind property_kind not null,
  value text not null collate "C",
  -- The value of an `integer`.
  number bigint,
  -- Number of tokens with this value.
  tokens bigint not null default 0
);
-- By hash, because an index cannot hold texts of more than 2.7 kB.
create unique index property_value_key on property_value (collection_id, name, kind, md5(value));
create index property_value_name on property_value (collection_id, name, id);
create index property_value_number on property_value (collection_id, name, number) where number is not null;

create table collectible_property (
  property_id bigint not null references property_value,
  collectible_id bigint not null references collectible,
  primary key (property_id, collectible_id)
);
create index collectible_property_collectible on collectible_property (collectible_id);

-- Classifies one JSON value that is not a list: its kind, its text, and its number. Texts of more than 1,024 characters count as
-- objects, because no filter can name them. Null is ignored.
create function property_scalar(given json) returns table (kind property_kind, value text, number bigint) language plpgsql immutable rows 1 as $$
declare
  said text := given #>> '{}';
  amount numeric;
begin
  case json_typeof(given)
    when 'null' then
      return;
    when 'object', 'array' then
      kind := 'object';
      value := '';
    when 'number' then
      -- Longer numbers are never filtered by, and the database might not be able to store them.
      if length(said) <= 64 and said ~ '^[-+.0-9]+([eE][-+]?[0-9]{1,3})?$' then
        amount := said::numeric;
        if amount = trunc(amount) and abs(amount) <= 9007199254740991 then
          kind := 'integer';
          number := amount::bigint;
          value := number::text;
        else
          kind := 'text';
          value := case when said ~ '[eE]' then said else trim_scale(amount)::text end;
        end if;
      else
        kind := 'text';
        value := said;
      end if;
    else
      kind := 'text';
      value := said;
  end case;
  if length(value) > 1024 then
    kind := 'object';
    value := '';
  end if;
  return next;
end
$$;

-- The filterable values of a token: its attributes {"trait_type": name, "value": value}, then its properties {name: value}. Skips
-- empty names and names of more than 256 characters, because no filter can name them.
create function collectible_properties(attributes json, properties json)
  returns table (place bigint, name text, kind property_kind, value text, number bigint) language sql immutable rows 10 as $$
  with named as (
    select place, entry ->> 'trait_type' as name, entry -> 'value' as value
    from json_array_elements(attributes) with ordinality as one (entry, place)
    where json_typeof(entry) = 'object' and json_typeof(entry -> 'trait_type') = 'string'
    union all
    select json_array_length(attributes) + place, key, value
    from json_each(properties) with ordinality as one (key, value, place)
  )
  select named.place, named.name, found.kind, found.value, found.number
  from named
  cross join lateral (
    select scalar.* from property_scalar(named.value) as scalar where json_typeof(named.value) <> 'array'
    union
    select case when scalar.kind = 'object' then 'object' else 'member' end::property_kind, scalar.value, null
    from json_array_elements(case when json_typeof(named.value) = 'array' then named.value else '[]' end) as member,
      property_scalar(member) as scalar
    union
    select 'list', '', null where json_typeof(named.value) = 'array'
  ) as found
  where length(named.name) between 1 and 256
$$;

create function forget_properties(ids bigint[]) returns void language sql as $$
  with gone as (
    delete from collectible_property where collectible_id = any(ids) returning property_id
  )
  update property_value set tokens = tokens - one.gone
  from (select property_id, count(*) as gone from gone group by property_id) as one
  where id = one.property_id
$$;

-- The number of tokens is unknown when the query is planned, and the plan must not be a full join.
create function note_properties(ids bigint[]) returns void language sql set enable_nestloop = off set jit = off as $$
  with found as materialized (
    select token.id as collectible_id, token.collection_id, property.*
    from collectible as token, collectible_properties(token.attributes, token.properties) as property
    where token.id = any(ids)
  ), noted as (
    insert into property_value as known (collection_id, name, kind, value, number, tokens)
    select collection_id, name, kind, value, max(number), count(distinct collectible_id)
    from found
    group by collection_id, name, kind, value
    order by min(array[collectible_id, place])
    on conflict (collection_id, name, kind, md5(value)) do update set tokens = known.tokens + excluded.tokens
    returning id, collection_id, name, kind, value
  )
  insert into collectible_property (property_id, collectible_id)
  select distinct noted.id, found.collectible_id
  from found
  join noted using (collection_id, name, kind, value)
$$;

-- Runs after each statement, for all tokens whose filterable values it has created or changed.
create function index_properties() returns trigger language plpgsql as $$
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
  return null;
end
$$;

create trigger index_properties_insert after insert on collectible
  referencing new table as added for each statement execute function index_properties();
create trigger index_properties_update after update on collectible
  referencing old table as removed new table as added for each statement execute function index_properties();
