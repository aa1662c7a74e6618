-- Responses to calls with idempotency keys, committed together with the changes of their calls. Rows are deleted after a day.
create table kept_response (
  -- The project and the network of the path.
  scope text not null,
  key text not null,
  project_id bigint not null references project on delete cascade,
  -- Hash of the method and the request.
  fingerprint text not null,
  -- Encrypted with a key that is derived from the signing key: it may contain the secret of a listener.
  response bytea not null,
  kept_at timestamptz not null default now(),
  primary key (scope, key)
);
create index kept_response_project on kept_response (project_id, kept_at);
create index kept_response_kept_at on kept_response (kept_at);
