-- Workers outside: their tokens, what runs where, and what each can run; and what a job asks of whoever takes it.

create table worker_tokens (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  hash bytea not null unique check (octet_length(hash) = 32),
  -- The only pools whose jobs it may take.
  pool_ids uuid[] not null check (cardinality(pool_ids) between 1 and 100),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create unique index worker_tokens_live_name on worker_tokens (lower(name)) where revoked_at is null;

-- What a worker can run: the same for all workers that are alike, so it is stored once and named by its hash.
create table pool_environments (
  id bytea primary key check (octet_length(id) = 32),
  engine text not null check (engine in ('embedded', 'application')),
  version text not null,
  -- Node class → hash of its description.
  classes jsonb not null,
  -- The descriptions themselves, compressed JSON; null where nobody brought them.
  descriptions bytea,
  created_at timestamptz not null default now()
);

create table pool_workers (
  worker_id uuid primary key,
  pool_id uuid not null,
  -- Whose worker it is; null: one of our own processes.
  token_id uuid,
  name text not null,
  slots integer not null check (slots between 0 and 10000),
  environment_id bytea not null,
  models_loaded text[] not null default '{}',
  seen_at timestamptz not null default now(),
  left_at timestamptz
) with (fillfactor = 70);
create index pool_workers_of_pool on pool_workers (pool_id);

-- The node classes and models that a graph needs, as a hash: two jobs with the same one can run at the same places.
alter table jobs add column needs_id uuid;
alter table job_ready add column needs_id uuid;
drop index job_ready_lanes;
create index job_ready_lanes on job_ready (pool_id, workspace_id, rank, job_id, run_at, needs_id);
