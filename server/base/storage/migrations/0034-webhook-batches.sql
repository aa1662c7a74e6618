-- Up to 32,768 characters of notifications of one block, or of removals of one block. A row for each log, with an index for its uid, took
-- four times as long to store.
create table webhook_batch (
  chain_id bigint not null,
  -- The rows of webhook_notification that belong to the batch have these sequences.
  first_sequence bigint not null,
  last_sequence bigint not null,
  -- The events of the batch are numbered from here. `webhook_notification.event` is one of these numbers.
  first_event bigint not null,
  block_number bigint not null,
  block_hash bytea not null,
  -- Of each event. The same log is repeated if listeners declare its event differently.
  log_indexes int[] not null,
  is_removal boolean not null,
  -- How often the block has been added: a block may leave the chain and come back.
  occurrence int not null,
  -- Additions whose block has left the chain.
  is_gone boolean not null default false,
  -- The notifications of all events as JSON, one on each line, without their uids and the fields that differ between listeners.
  -- Compressed by deflate (RFC 1951).
  bodies bytea not null,
  stored_at timestamptz not null default now(),
  primary key (chain_id, first_sequence)
);
alter table webhook_batch alter column bodies set storage external;
create index webhook_batch_height on webhook_batch (chain_id, block_number);
create index webhook_batch_stored on webhook_batch using brin (stored_at);

-- The uid on the wire.
create function webhook_uid(chain_id bigint, block_hash bytea, log_index int, is_removal boolean) returns text
  language sql immutable as $$
  select encode(sha256(convert_to(
    chain_id || '/0x' || encode(block_hash, 'hex') || '/' || log_index || case when is_removal then '/BLOCK_REMOVED' else '/BLOCK_ADDED' end,
    'UTF8')), 'hex')
$$;

-- A body without its uid, in the format of deflate, in blocks that are not compressed.
create function webhook_deflated(body text) returns bytea language plpgsql immutable as $$
declare
  rest bytea := convert_to(regexp_replace(body, '^\{"uid":"[^"]*",', '{'), 'UTF8');
  deflated bytea := '';
  size int;
begin
  loop
    size := least(length(rest), 65535);
    deflated := deflated || decode(
      case when length(rest) > size then '00' else '01' end
      || lpad(to_hex(size & 255), 2, '0') || lpad(to_hex(size >> 8), 2, '0')
      || lpad(to_hex(255 - (size & 255)), 2, '0') || lpad(to_hex(255 - (size >> 8)), 2, '0'), 'hex')
      || substr(rest, 1, size);
    rest := substr(rest, size + 1);
    exit when length(rest) = 0;
  end loop;
  return deflated;
end
$$;

insert into webhook_batch
  (chain_id, first_sequence, last_sequence, first_event, block_number, block_hash, log_indexes, is_removal, occurrence, is_gone, bodies, stored_at)
select event.chain_id, range.first, range.last, event.number, block_number, block_hash, array[log_index], is_removal, occurrence, is_gone,
       webhook_deflated(body), stored_at
from webhook_event event
join (
  select chain_id, event, min(sequence) as first, max(sequence) as last from webhook_notification group by chain_id, event
) as range on range.chain_id = event.chain_id and range.event = event.number;

drop index webhook_notification_event;

-- The table webhook_event remains for replicas of version 0.1, until all are replaced. What they store becomes batches.
create function batch_webhook_event() returns trigger language plpgsql as $$
begin
  insert into webhook_batch
    (chain_id, first_sequence, last_sequence, first_event, block_number, block_hash, log_indexes, is_removal, occurrence, bodies, stored_at)
  select new.chain_id, min(sequence), max(sequence), new.number, new.block_number, new.block_hash, array[new.log_index], new.is_removal,
         new.occurrence, webhook_deflated(new.body), new.stored_at
  from webhook_notification
  where chain_id = new.chain_id and event = new.number
    and sequence > coalesce(
      (select last_sequence from webhook_batch
       -- Removals are stored in any order.
       where chain_id = new.chain_id and not (is_removal and new.is_removal)
       order by first_sequence desc limit 1), 0)
  having count(*) > 0;
  return null;
end
$$;
-- At the end of the transaction, when the notifications are stored, too.
create constraint trigger batch_added after insert on webhook_event
  deferrable initially deferred for each row execute function batch_webhook_event();

create function note_gone_batch() returns trigger language plpgsql as $$
begin
  update webhook_batch set is_gone = new.is_gone
  where chain_id = new.chain_id and block_number = new.block_number and first_event = new.number;
  return null;
end
$$;
create trigger note_gone after update of is_gone on webhook_event for each row execute function note_gone_batch();
