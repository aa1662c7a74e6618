-- Notifies every replica when the credentials of a project change, whoever changes them, so that no replica uses outdated ones.
create function tell_credential_change() returns trigger language plpgsql as $$
declare
  told bigint;
begin
  if tg_table_name = 'project' then
    told := old.id;
  elsif tg_table_name = 'secret_key' then
    select project_id into told from service_account where address = old.account;
  else
    told := old.project_id;
  end if;
  -- The account may be deleted already, together with its keys. That deletion notifies by itself.
  if told is not null then
    perform pg_notify('credential_change', told::text);
  end if;
  return null;
end
$$;

create trigger tell_change after update or delete on project
  for each row execute function tell_credential_change();
create trigger tell_change after update or delete on access_key
  for each row execute function tell_credential_change();
create trigger tell_change after update or delete on service_account
  for each row execute function tell_credential_change();
create trigger tell_change after update or delete on secret_key
  for each row execute function tell_credential_change();

create function tell_origin_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('credential_change', coalesce(new.project_id, old.project_id)::text);
  return null;
end
$$;

create trigger tell_change after insert or update or delete on project_origin
  for each row execute function tell_origin_change();
