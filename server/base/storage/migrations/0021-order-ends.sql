-- Expired orders stay in the price indexes until they are marked `expired`, and for a while longer. With the end of an order in
-- the index, reads skip them without fetching their rows: whole markets may end at the same moment.
drop index listing_of_collection, listing_of_collectible, offer_of_collection, offer_of_collectible, offer_for_any_token;

create index listing_of_collection on market_order (collection_id, currency_id, price_amount, made_at, valid_until)
  where status = 'active' and deleted_at is null and quantity_available > 0 and side = 'listing';
create index listing_of_collectible on market_order (collectible_id, currency_id, price_amount, made_at, valid_until)
  where status = 'active' and deleted_at is null and quantity_available > 0 and side = 'listing';
create index offer_of_collection on market_order (collection_id, currency_id, price_amount desc, made_at, valid_until)
  where status = 'active' and deleted_at is null and quantity_available > 0 and side = 'offer' and collectible_id is not null;
create index offer_of_collectible on market_order (collectible_id, currency_id, price_amount desc, made_at, valid_until)
  where status = 'active' and deleted_at is null and quantity_available > 0 and side = 'offer' and collectible_id is not null;
create index offer_for_any_token on market_order (collection_id, currency_id, price_amount desc, made_at, valid_until)
  where status = 'active' and deleted_at is null and quantity_available > 0 and side = 'offer' and collectible_id is null;
