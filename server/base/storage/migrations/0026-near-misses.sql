-- Logs of an event that a listener names but can never match, because the contract indexes other arguments. Counts are lower
-- bounds.
create table webhook_near_miss (
  listener_id bigint not null references webhook_listener (id) on delete cascade,
  -- As registered by the listener.
  event text not null,
  -- Number of arguments that the contract indexes.
  indexed_count smallint not null,
  -- The event as the contract has it. Null: its logs do not show which arguments are indexed.
  matching_event text,
  logs bigint not null,
  -- Newest counted block.
  block_number bigint not null,
  primary key (listener_id, event, indexed_count)
);
