-- Output targets: where a job's outputs are also put, beside being kept here. The address and its credential are sealed and
-- go when the job has ended and everything is delivered or given up. A delivery is written in the transaction that attaches
-- its output, so neither exists without the other.
alter table jobs add column has_target boolean not null default false;

create table job_targets (
  job_id uuid primary key,
  envelope text not null
);
comment on table job_targets is 'not in backups: callers'' credentials, needed only until their outputs are delivered';

create table output_deliveries (
  id uuid primary key,
  job_id uuid not null,
  workspace_id uuid not null,
  asset_id uuid not null,
  name text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  -- Rises with every claim; a result is taken from the last one only.
  attempts integer not null default 0,
  -- When it may be claimed. A claim moves it to the end of its lease, so what a dead process held comes back by itself.
  due_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((status = 'pending') = (ended_at is null))
) with (fillfactor = 80);
create index output_deliveries_of_job on output_deliveries (job_id);
create index output_deliveries_due on output_deliveries (due_at) where status = 'pending';
