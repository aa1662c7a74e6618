-- Number of blocks that confirm an event before it is sent, its own block included. Only counts with the delivery 'head'.
alter table webhook_listener add column confirmations int not null default 1 check (confirmations between 1 and 10000);

-- Held with the delivery 'head': `block_number` is the block that completes the confirmations.
alter table webhook_notification
  drop constraint webhook_notification_delivery_check,
  add constraint webhook_notification_delivery_check check (delivery in ('head', 'safe', 'finalized')) not valid;
