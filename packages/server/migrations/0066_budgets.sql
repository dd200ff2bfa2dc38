-- Budgets: what a workspace, a key, a tag or an end user may spend in a day, a week or a month (UTC), and what happens then.
-- What must always hold: `spent` is what the calls that count against a budget were charged since `period_start`, as far as they
-- are added up; `budget_calls` has those that are not: an open call counts at its hold, an ended one at its charge. We alert to
-- each threshold once in a period: `alerted` is the highest one, and rises in the transaction that writes the alert.
create table budgets (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  name text not null,
  scope text not null check (scope in ('workspace', 'key', 'tag', 'end_user')),
  -- The id of the key, the tag as key=value, or the end user. Empty for the workspace.
  subject text not null,
  period text not null check (period in ('day', 'week', 'month')),
  amount bigint not null check (amount >= 0),
  at_limit text not null check (at_limit in ('stop', 'warn')),
  -- Where alerts are sent. Null: nowhere.
  webhook_url text,
  created_at timestamptz not null,
  period_start date not null,
  spent bigint not null check (spent >= 0),
  alerted smallint not null default 0,
  -- How many alerts it has had: the sequence of the last one.
  alert_count integer not null default 0,
  unique (workspace_id, name)
) with (fillfactor = 50);

create table budget_calls (
  call_id uuid not null,
  budget_id uuid not null references budgets (id) on delete cascade,
  hold bigint not null check (hold >= 0),
  reserved_at timestamptz not null default now(),
  primary key (call_id, budget_id)
);
create index budget_calls_of_budget on budget_calls (budget_id);

create table budget_alerts (
  id uuid primary key,
  workspace_id uuid not null,
  budget_id uuid not null references budgets (id) on delete cascade,
  sequence integer not null,
  threshold smallint not null,
  period_start date not null,
  -- As they were then.
  amount bigint not null,
  spent bigint not null,
  held bigint not null,
  at timestamptz not null default now(),
  -- When it became a webhook's delivery, in the same transaction. Null: not yet.
  handed_on_at timestamptz,
  unique (budget_id, sequence)
);
create index budget_alerts_waiting on budget_alerts (id) where handed_on_at is null;
create index budget_alerts_of_workspace on budget_alerts (workspace_id);
