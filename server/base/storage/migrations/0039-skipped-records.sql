-- Records that could not be derived are called skipped, no longer parked.
alter table follower_parked rename to follower_skipped;
alter table follower_skipped rename column parked_at to skipped_at;
alter table follower_skipped rename constraint follower_parked_step_check to follower_skipped_step_check;
alter table follower_skipped rename constraint follower_parked_chain_id_fkey to follower_skipped_chain_id_fkey;
alter index follower_parked_pkey rename to follower_skipped_pkey;
alter index follower_parked_block rename to follower_skipped_block;
alter sequence follower_parked_id_seq rename to follower_skipped_id_seq;

-- Remains for replicas of version 0.1, until all are replaced.
create view follower_parked as
select id, chain_id, deriver, step, block_number, block_hash, log_index, reason, skipped_at as parked_at from follower_skipped;

-- The value stays: replicas of version 0.1 read and write it, and an update of millions of rows would take long.
comment on column webhook_notification.state is '"parked": failed. Not sent again unless an operator replays it';
