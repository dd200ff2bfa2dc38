-- Inputs and answers of model calls, for workspaces that asked for them to be kept. Nothing is kept unless an owner turned it on.
-- What must hold: a body exists only while its workspace's row is on, never past its expires_at, and only sealed: the key ring is
-- not in the database. An envelope is bound to its workspace and request.
create table request_body_keeping (
  workspace_id uuid primary key,
  is_on boolean not null,
  keep_hours integer not null check (keep_hours > 0),
  updated_at timestamptz not null
);
create index request_body_keeping_on on request_body_keeping (workspace_id) where is_on;

create table request_bodies (
  workspace_id uuid not null,
  request_id uuid not null,
  -- Null if it was refused before a call began.
  call_id uuid,
  at timestamptz not null,
  expires_at timestamptz not null check (expires_at > at),
  -- The key that sealed it, so that a rotation finds it.
  key_id text not null,
  -- The input and the answer, without secrets and files, as one envelope of the key ring.
  sealed text not null,
  -- What the envelope takes up.
  bytes integer not null,
  -- Ids of requests begin with their time, so this is also the order in which they came.
  primary key (workspace_id, request_id)
);
create index request_bodies_call on request_bodies (workspace_id, call_id) where call_id is not null;
create index request_bodies_key on request_bodies (key_id);
create index request_bodies_end on request_bodies (expires_at);
-- A ciphertext cannot be compressed.
alter table request_bodies alter column sealed set storage external;
comment on table request_bodies is 'not in backups: a backup would keep bodies beyond their end';
