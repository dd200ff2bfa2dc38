-- Limits of calls: how many calls a minute one key may make, or one model take over all workspaces, and how many at once.
-- What must always hold: under the lock of its row, a limit never lets in more than it says. A call is in flight while it is open; one
-- that reserved and did not begin counts for a few minutes, unless it is given back.
create table call_limits (
  id uuid primary key,
  -- Null: the operator's, for a model.
  workspace_id uuid,
  scope text not null check (scope in ('key', 'model')),
  -- The id of the key, or of the model.
  subject text not null,
  per_minute integer check (per_minute >= 1),
  concurrency integer check (concurrency >= 1),
  -- As in rate_buckets: a call moves it on by a minute divided by per_minute, and is refused a minute ahead.
  spent_until timestamptz not null default now(),
  check (per_minute is not null or concurrency is not null),
  check ((scope = 'key') = (workspace_id is not null))
) with (fillfactor = 50);
create unique index call_limits_of_subject on call_limits (workspace_id, scope, subject) nulls not distinct;

create table limited_calls (
  call_id uuid not null,
  limit_id uuid not null references call_limits (id) on delete cascade,
  reserved_at timestamptz not null default now(),
  primary key (call_id, limit_id)
);
create index limited_calls_of_limit on limited_calls (limit_id);
