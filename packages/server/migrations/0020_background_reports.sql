-- What each process of the service does by itself, and how it last went: one row a process, written anew every few
-- seconds, so that operators see all processes in one place. Nothing depends on it. Unlogged: after a crash of the
-- database every process simply says it again.
create unlogged table background_reports (
  process_id uuid primary key,
  -- "serve on machine 4711": for people.
  name text not null check (length(name) between 1 and 200),
  started_at timestamptz not null,
  seen_at timestamptz not null default clock_timestamp(),
  works jsonb not null check (jsonb_typeof(works) = 'array')
);
