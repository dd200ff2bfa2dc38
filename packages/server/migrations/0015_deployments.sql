-- Dedicated deployments: one pinned environment, workers and a queue of their own. The pool of a deployment's jobs has the
-- deployment's id.

create table deployments (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  -- Engine, its version, node classes with versions, settings.
  environment jsonb not null,
  workers_min integer not null check (workers_min >= 0),
  workers_max integer not null check (workers_max >= 1),
  jobs_per_worker integer not null check (jobs_per_worker >= 1),
  -- Whose keys may use it; null: every workspace's.
  workspace_id uuid references workspaces (id),
  -- An autoscaler's. Signed with the workspace's secret, so it needs one.
  scale_webhook_url text check (char_length(scale_webhook_url) between 1 and 2048),
  -- Null: it takes jobs as soon as a matching worker is there.
  stopped_at timestamptz,
  -- When somebody last asked it to run something; what scaling from zero goes by.
  asked_at timestamptz,
  -- What the autoscaler was last told, and how often it was told anything.
  workers_wanted integer not null default 0 check (workers_wanted >= 0),
  sequence integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (workers_min <= workers_max),
  check (scale_webhook_url is null or workspace_id is not null)
);
