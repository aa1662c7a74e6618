-- The next block of a collection's history, which is read beside the follower; null: nobody wants more of it. Until then no block of the
-- follower is about this collection.
alter table followed_collection add column history_block bigint;
create index followed_collection_history on followed_collection (collection_id) where history_block is not null;
