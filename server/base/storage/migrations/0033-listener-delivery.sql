-- When notifications are sent: with the block, or when the nodes consider the block safe or final.
alter table webhook_listener add column delivery text not null default 'head'
  check (delivery in ('head', 'safe', 'finalized'));

-- 'held': the block is not yet safe or final, as the listener demands.
alter table webhook_notification
  drop constraint webhook_notification_state_check,
  add constraint webhook_notification_state_check
    check (state in ('held', 'waiting', 'accepted', 'parked', 'dropped')) not valid,
  -- Of the listener when the notification was stored; null: head.
  add column delivery text check (delivery in ('safe', 'finalized')),
  -- Only with `delivery`.
  add column block_number bigint;
create index webhook_notification_held on webhook_notification (chain_id, delivery, block_number) where state = 'held';

-- Whether a node of the chain has ever reported a safe or a finalized block.
alter table follower_cursor add column reports_finality boolean not null default false;
