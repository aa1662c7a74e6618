-- State shared by all listeners of a network. Its row is locked while a block's notifications are written, and while a listener
-- changes. So a listener starts between two blocks, on all replicas alike.
create table webhook_network (
  chain_id bigint primary key,
  -- Counts changes of listeners.
  revision bigint not null default 0,
  -- The newest numbers that were assigned.
  last_sequence bigint not null default 0,
  last_event bigint not null default 0,
  last_block bigint not null default -1,
  -- Blocks up to this one are being derived again for an operator; nothing is notified twice.
  muted_through bigint not null default -1
);

create table webhook_listener (
  id bigint primary key,
  project_id bigint not null references project on delete cascade,
  chain_id bigint not null,
  url text not null,
  -- Host of the url, lower case. Calls to the same host are counted together.
  host text not null,
  name text not null,
  format text not null check (format in ('object', 'array')),
  -- contractAddresses, events, and if set tokenIDs, accounts, topicHashes.
  filters jsonb not null,
  -- Encrypted with a key that is derived from the signing key.
  secret bytea not null,
  -- For a day after a rotation, calls are signed with both secrets.
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- Null: active.
  pause_reason text check (pause_reason in ('owner', 'failing', 'gone')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index webhook_listener_project on webhook_listener (project_id, chain_id, id);
create index webhook_listener_network on webhook_listener (chain_id);
create index webhook_listener_host on webhook_listener (host);

-- Health of a listener's receiver. A separate table, because it changes with every call.
create table webhook_health (
  listener_id bigint primary key,
  -- Since the listener was created or resumed.
  attempts bigint not null default 0,
  successes bigint not null default 0,
  -- The first failure after the last success.
  failing_since timestamptz,
  -- When a listener that was paused for failing is probed again.
  probe_at timestamptz
);

-- A log that at least one listener is notified of. Stored once for all listeners. A removal is a separate event.
create table webhook_event (
  chain_id bigint not null,
  number bigint not null,
  block_number bigint not null,
  block_hash bytea not null,
  log_index int not null,
  is_removal boolean not null,
  -- How often the block has been added: a block may leave the chain and come back.
  occurrence int not null,
  -- An addition whose block has left the chain.
  is_gone boolean not null default false,
  -- The uid on the wire. Several rows of one log share it if listeners declare its event differently.
  uid text not null,
  -- The notification as JSON, without the fields that differ between listeners.
  body text not null,
  stored_at timestamptz not null default now(),
  primary key (chain_id, number)
);
create index webhook_event_block on webhook_event (chain_id, block_hash);
create index webhook_event_height on webhook_event (chain_id, block_number);
create index webhook_event_uid on webhook_event (uid);
create index webhook_event_stored on webhook_event using brin (stored_at);

create table webhook_notification (
  chain_id bigint not null,
  sequence bigint not null,
  -- Not a foreign key: notifications of a deleted listener are cleaned up later.
  listener_id bigint not null,
  event bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'parked', 'dropped')),
  attempts int not null default 0,
  -- Attempts before the last replay; they do not count for the retry schedule.
  attempts_before int not null default 0,
  -- While waiting: when it may be sent. 'infinity': not before `after` was accepted.
  due_at timestamptz not null default now(),
  -- For a removal: the sequence of the addition.
  after bigint,
  primary key (chain_id, sequence)
);
create index webhook_notification_due on webhook_notification (listener_id, due_at, sequence) where state = 'waiting';
create index webhook_notification_parked on webhook_notification (listener_id, sequence) where state = 'parked';
create index webhook_notification_event on webhook_notification (chain_id, event);
create index webhook_notification_after on webhook_notification (chain_id, after) where after is not null;

create table webhook_attempt (
  chain_id bigint not null,
  sequence bigint not null,
  attempt int not null,
  at timestamptz not null,
  took_ms int not null,
  -- Null: no response.
  status int,
  -- Why it failed; null: accepted.
  fault text,
  primary key (chain_id, sequence, attempt)
);

-- Which process calls a host: one at a time, while its lease lasts.
create table webhook_destination (
  host text primary key,
  owner uuid not null,
  lease_until timestamptz not null
);

create function note_webhook_changes() returns trigger language plpgsql as $$
begin
  -- In a fixed order, so that two changes of listeners of several networks never deadlock.
  insert into webhook_network (chain_id, revision)
  select distinct chain_id, 1 from changed order by chain_id
  on conflict (chain_id) do update set revision = webhook_network.revision + 1;
  perform pg_notify('webhook_change', chain_id::text) from (select distinct chain_id from changed) as network;
  return null;
end
$$;

create trigger note_added after insert on webhook_listener
  referencing new table as changed for each statement execute function note_webhook_changes();
create trigger note_changed after update on webhook_listener
  referencing new table as changed for each statement execute function note_webhook_changes();
create trigger note_removed after delete on webhook_listener
  referencing old table as changed for each statement execute function note_webhook_changes();
