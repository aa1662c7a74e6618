-- The next block of a collection's history, which is read in addition to the follower's blocks; null: no more is requested. Until
-- the history is complete, the follower skips this collection.
alter table followed_collection add column history_block bigint;
create index followed_collection_history on followed_collection (collection_id) where history_block is not null;
