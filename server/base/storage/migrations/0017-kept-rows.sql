-- Orders have no foreign keys to their collection, token and currency (0012-market-writes.sql). Instead of each insert, this
-- checks the deletion of rows that orders name. The platform deletes none of them; to delete a collection by hand, delete its
-- orders first. Currencies stay.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise foreign_key_violation using message = format('%s %s stays: orders may name it', tg_table_name, old.id);
end
$$;

create function has_orders(of_collection bigint) returns boolean language sql stable as
  'select exists (select from market_order where collection_id = of_collection)';

create trigger keep_named before delete on collection
  for each row when (has_orders(old.id)) execute function refuse_removal();
create trigger keep_named before delete on collectible
  for each row when (has_orders(old.collection_id)) execute function refuse_removal();
create trigger keep_named before delete on currency
  for each row execute function refuse_removal();
