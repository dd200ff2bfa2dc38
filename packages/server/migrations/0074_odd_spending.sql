-- Odd spending: an hour in which a workspace spent much more than in the same hour of past weeks.
-- What must always hold: an hour of a workspace has at most one alert; alert, deliveries, mails and the hour that was looked at last
-- are one transaction.
create table spending_watches (
  workspace_id uuid primary key,
  -- Without a row it is watched, from the default amount on.
  is_on boolean not null default true,
  at_least bigint check (at_least >= 0),
  -- The sequence of its last alert.
  alert_count integer not null default 0
);

create table spending_alerts (
  workspace_id uuid not null,
  hour timestamptz not null,
  sequence integer not null,
  spent bigint not null,
  -- The same hour of the past weeks, and how many those were.
  average bigint not null,
  highest bigint not null,
  weeks integer not null,
  at timestamptz not null,
  primary key (workspace_id, hour),
  unique (workspace_id, sequence)
);

-- The hour up to which every workspace was looked at.
create table spending_looks (
  is_single boolean primary key default true check (is_single),
  looked_until timestamptz
);
insert into spending_looks default values;
