-- What people ran in the console's playground, so that they find it again on another machine: the input, what it cost and the
-- assets it made. Usage rows name no person and keep no input, and assets name no input either.
-- What must hold: at most 200 rows of a person in a workspace stay, none for more than 90 days.
create table playground_runs (
  workspace_id uuid not null,
  -- The person, or the key of a program.
  owner_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  model text not null,
  -- A JSON object as text, because integers beyond 2^53 keep their digits.
  input text not null,
  request_id uuid,
  -- Micro-credits; null: not known.
  credits bigint,
  asset_ids uuid[] not null,
  -- Ids begin with their time, so this is also the order in which they ran.
  primary key (workspace_id, owner_id, id)
);
create index playground_runs_at on playground_runs using brin (at) with (pages_per_range = 32, autosummarize = on);
