-- Queued model calls: submitted now, run when the workspace has a slot, collected for a day. A request has the id of the call
-- that pays for it. Its call is open and held from the submission on; it takes a slot while the request runs, and both end
-- in one transaction.

create table model_requests (
  id uuid not null,
  workspace_id uuid not null references workspaces (id),
  model text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'completed')),
  is_costly boolean not null,
  -- The most it can cost, and what it did cost.
  hold bigint not null check (hold >= 0),
  credits_used bigint check (credits_used between 0 and hold),
  -- How long the provider may take once it runs.
  longest_run_seconds integer not null check (longest_run_seconds between 1 and 86400),
  webhook_url text check (char_length(webhook_url) between 1 and 2048),
  -- The caller's bytes, as they came; above 256 KiB they are a blob. Gone when it has completed.
  body bytea,
  body_blob text,
  -- The process that runs it, and how often it was begun.
  runner_id uuid,
  attempts integer not null default 0 check (attempts >= 0),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- With a failure: its bucket, and what the answer says about it.
  error_type text check (char_length(error_type) between 1 and 63),
  detail jsonb,
  -- Every look names the workspace; lists are newest first by the same index.
  primary key (workspace_id, id),
  check ((state = 'completed') = (completed_at is not null)),
  check (state <> 'running' or runner_id is not null),
  check ((state = 'completed') = (body is null and body_blob is null))
) with (fillfactor = 70);
-- Stored as they are: compressing them costs more than it saves.
alter table model_requests alter column body set storage external;
-- What waits, in the order in which each workspace is served; small however much has completed.
create index model_requests_waiting on model_requests (workspace_id, is_costly, id) where state = 'queued';
create index model_requests_running on model_requests (id) where state = 'running';
create index model_requests_completed on model_requests using brin (completed_at) with (pages_per_range = 32, autosummarize = on);
