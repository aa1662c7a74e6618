-- Logs that a listener's event names and can never match, because the contract indexes other arguments. Counts are lower bounds.
create table webhook_near_miss (
  listener_id bigint not null references webhook_listener (id) on delete cascade,
  -- As the listener has it.
  event text not null,
  -- How many arguments the contract indexes.
  indexed_count smallint not null,
  -- The event as the contract has it. Null: its logs do not tell which arguments are indexed.
  matching_event text,
  logs bigint not null,
  -- Newest block that was counted.
  block_number bigint not null,
  primary key (listener_id, event, indexed_count)
);
