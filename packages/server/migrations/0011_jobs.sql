-- Jobs: runs of workflows. The job's row changes a few times in its life and is read often; what changes often stands in
-- narrow tables beside it: what is ready, what is leased, what happens live. All state changes lock the job's row first.

create table jobs (
  id uuid primary key,
  workspace_id uuid not null,
  -- Which workers may take it.
  pool_id uuid not null,
  state text not null default 'queued'
    check (state in ('queued', 'running', 'canceling', 'succeeded', 'failed', 'canceled', 'expired')),
  -- Rises with every change of state and every output.
  version integer not null default 1,
  -- Changes of state since the creation, without gaps; what webhooks are numbered by.
  sequence integer not null default 0,
  -- The fence: rises with every claim and never falls. Attempts that were given back do not count against the limit.
  attempt integer not null default 0,
  given_back integer not null default 0 check (given_back between 0 and attempt),
  attempts_max integer not null check (attempts_max >= 1),
  -- How many workers went silent with it.
  lost integer not null default 0,
  worker_id uuid,
  claimed_at timestamptz,
  priority smallint not null check (priority between -100 and 100),
  metadata text check (octet_length(metadata) <= 1024),
  webhook_url text,
  api_key_id uuid,
  idempotency_key text check (char_length(idempotency_key) between 1 and 255),
  nodes_total integer not null check (nodes_total >= 0),
  holds_assets boolean not null,
  holds_credits boolean not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz not null,
  -- When time changes it next: an unended job expires, an ended one goes.
  due_at timestamptz not null,
  outputs_reused boolean not null default false,
  problem jsonb,
  -- As it stood at the end; before that it stands in job_live.
  progress jsonb,
  check ((state in ('succeeded', 'failed', 'canceled', 'expired')) = (finished_at is not null)),
  check ((state in ('running', 'canceling')) = (worker_id is not null and claimed_at is not null)),
  check (attempt - given_back <= attempts_max)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index jobs_newest on jobs (workspace_id, pool_id, id desc);
create index jobs_by_state on jobs (workspace_id, pool_id, state, id desc);
create index jobs_by_metadata on jobs (workspace_id, pool_id, metadata, id desc) where metadata is not null;
create index jobs_by_due on jobs (due_at);

create function refuse_change_of_ended_job() returns trigger language plpgsql as $$
begin
  raise exception 'an ended job does not change its state' using errcode = 'restrict_violation';
end
$$;
create trigger jobs_end_once before update on jobs for each row
  when (old.state in ('succeeded', 'failed', 'canceled', 'expired')
        and (new.state is distinct from old.state or new.finished_at is distinct from old.finished_at))
  execute function refuse_change_of_ended_job();

create table job_graphs (
  job_id uuid primary key,
  submitted bytea not null,
  -- What really ran, where the worker told; else null.
  executed bytea
);

-- A key lives as long as its job.
create table job_keys (
  workspace_id uuid not null,
  pool_id uuid not null,
  idempotency_key text not null,
  job_id uuid not null,
  fingerprint bytea not null,
  primary key (workspace_id, pool_id, idempotency_key)
);
create index job_keys_of_job on job_keys (job_id);

-- Sealed extra data, until the job ends.
create table job_secrets (
  job_id uuid primary key,
  envelope text not null
);
comment on table job_secrets is 'not in backups: callers'' credentials, needed only while their job runs';

-- The lanes: what may be claimed, one run of the index per workspace. `rank` is minus the priority, so that one ascending
-- comparison of (rank, job_id) is the order; ids rise with time, which makes it first come, first served.
create table job_ready (
  job_id uuid primary key,
  pool_id uuid not null,
  workspace_id uuid not null,
  rank smallint not null,
  run_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index job_ready_lanes on job_ready (pool_id, workspace_id, rank, job_id, run_at);

-- Who runs what, and until when we believe it.
create table job_leases (
  job_id uuid primary key,
  attempt integer not null,
  worker_id uuid not null,
  pool_id uuid not null,
  workspace_id uuid not null,
  is_canceling boolean not null default false,
  lease_until timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index job_leases_of_lane on job_leases (pool_id, workspace_id);

-- What an attempt has made. Only those of the job's last attempt are shown.
create table job_outputs (
  job_id uuid not null,
  attempt integer not null,
  node_id text not null,
  index integer not null,
  asset_id uuid not null,
  name text not null,
  kind text not null,
  content_type text not null,
  size bigint not null,
  hash bytea not null,
  version integer not null,
  primary key (job_id, attempt, node_id, index)
);
create index job_outputs_by_asset on job_outputs (asset_id);

-- Progress and the newest preview of what runs. Unlogged: after a crash the next sign of life fills it again.
create unlogged table job_live (
  job_id uuid primary key,
  version integer not null default 1,
  progress jsonb,
  preview_version integer not null default 0,
  preview_node_id text,
  preview_type text,
  preview bytea check (octet_length(preview) <= 131072),
  changed_at timestamptz not null default now()
) with (fillfactor = 50);
alter table job_live alter column preview set storage external;

-- Credits that something holds for as long as it lives, in parts: a job its run and its model-calling nodes. Beside calls,
-- because a part is given back before its node pays for itself through a call of its own.
create table reservations (
  -- What the journal's lines name.
  id uuid primary key,
  holder_id uuid not null,
  part text not null check (char_length(part) between 1 and 255),
  workspace_id uuid not null,
  amount bigint not null check (amount > 0),
  settled bigint check (settled between 0 and amount),
  reserved_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((settled is null) = (ended_at is null)),
  unique (holder_id, part)
) with (fillfactor = 80);
create index reservations_open on reservations (workspace_id) where settled is null;
create index reservations_ended on reservations using brin (ended_at) with (pages_per_range = 32, autosummarize = on);
