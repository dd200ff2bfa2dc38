-- Pins: the lock that every worker of a pool must equal. What must hold: a pinned lock is kept on this server.
-- A deployment names it in its environment; the generated column makes the database refuse one that does not exist, and keeps
-- it from being removed.
alter table deployments add column lock_id text generated always as (environment ->> 'lockId') stored
  references environment_locks (id);

-- The pin of a pool without a deployment, the shared one.
create table pool_pins (
  pool_id uuid primary key,
  lock_id text not null references environment_locks (id)
);

-- What a worker beside an application says about its own folder: {lockId, against, drift}. Null if it says nothing.
alter table pool_workers add column lock jsonb;

-- The lock of the worker that ran a job. Null if that worker had none.
alter table jobs add column lock_id text;

-- Processes that start and stop the workers of a pool, as they last reported. Only for people to look at.
create table pool_scalers (
  id uuid primary key,
  pool_id uuid not null,
  token_id uuid not null,
  name text not null,
  workers_min integer not null,
  workers_max integer not null,
  workers_wanted integer not null,
  running integer not null,
  starting integer not null,
  draining integer not null,
  -- {at, words, lines, retryAt} while starts fail.
  failure jsonb,
  seen_at timestamptz not null default now()
);
create index pool_scalers_of_pool on pool_scalers (pool_id);
