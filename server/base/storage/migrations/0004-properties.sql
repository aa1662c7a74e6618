-- What tokens can be filtered by: every name and value of their attributes and properties, kept up to date by the database itself, so
-- that no writer of tokens has to think of it and no reader has to go through the tokens.

-- `integer`: a JSON number that is an integer of at most 2^53 - 1. `text`: any other single value. `list`: there was a list, and `member`:
-- this was in one. `object`: what cannot be filtered by. Lists and objects have no value.
create type property_kind as enum ('integer', 'text', 'member', 'list', 'object');

-- Every value of every property of a collection, once. Rows are made in the order in which values first appear, and stay.
create table property_value (
  id bigint generated always as identity primary key,
  collection_id bigint not null references collection,
  name text not null collate "C",
  kind property_kind not null,
  value text not null collate "C",
  -- The value of an `integer`.
  number bigint,
  -- How many tokens have it.
  tokens bigint not null default 0
);
-- By hash, because an index holds no texts of more than 2.7 kB.
create unique index property_value_key on property_value (collection_id, name, kind, md5(value));
create index property_value_name on property_value (collection_id, name, id);
create index property_value_number on property_value (collection_id, name, number) where number is not null;

create table collectible_property (
  property_id bigint not null references property_value,
  collectible_id bigint not null references collectible,
  primary key (property_id, collectible_id)
);
create index collectible_property_collectible on collectible_property (collectible_id);

-- One JSON value that is no list: its kind, its text, and its number. Texts of more than 1,024 characters, which no filter can name, count
-- as objects; null is nothing.
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
      -- What is longer is no number that anybody filters by, and might not be one that the database can hold.
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

-- What a token can be filtered by: its attributes {"trait_type": name, "value": value}, then its properties {name: value}. Names of no or
-- more than 256 characters are left out, because no filter can name them.
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

-- How many tokens come at once cannot be told beforehand, and a join of all with all must not be the plan.
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

-- After each statement, for all tokens that it made or of which it changed what they can be filtered by.
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
  -- One writer a collection at a time: two that met at the same values in another order would wait for each other.
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
