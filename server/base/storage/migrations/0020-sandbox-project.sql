-- A sandbox shows the keys of its project to everyone on its machine. A host in production rejects them.
alter table project add column is_sandbox boolean not null default false;
update project set is_sandbox = true
where name = 'Sandbox' and exists (select from access_key where project_id = project.id and access_key.name = 'sandbox');
