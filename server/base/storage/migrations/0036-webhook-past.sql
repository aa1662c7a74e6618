-- Listeners whose past is read. Such a listener gets no notifications of new blocks until the past has reached the follower's checkpoint.
create table webhook_past (
  -- Not a foreign key: deletions lock the listener before the network's row, and readers of the past lock the network's row first.
  listener_id bigint primary key,
  chain_id bigint not null,
  -- As registered.
  from_block bigint not null,
  -- The first block that was not read yet.
  next_block bigint not null
);
create index webhook_past_network on webhook_past (chain_id);

-- To count what waits for a listener.
create index webhook_notification_held_listener on webhook_notification (listener_id) where state = 'held';
