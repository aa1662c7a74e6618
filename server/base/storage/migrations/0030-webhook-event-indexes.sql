-- Notifications are stored in bulk while a chain is caught up with. Inserting random texts into a B-tree took a quarter of that work.
drop index webhook_event_uid;
create index webhook_event_uid on webhook_event using hash (uid);
-- The events of a block are found by its number.
drop index webhook_event_block;
