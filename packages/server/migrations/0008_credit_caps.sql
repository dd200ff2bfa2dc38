-- What usage, the account's list of credits and the caps of single keys need beside the tables of calls.

-- Lists walk by (at, id) and sums take a span of time: one index serves both and takes the place of the older one, so
-- that a call writes no more than before.
create index usage_of_workspace_by_time on usage (workspace_id, at desc, id desc);
drop index usage_of_workspace;

-- The lines that changed what a workspace owns. Holds and releases only move credits between its own two pockets; they
-- are left out, so a call costs this index one entry. All lines of one transaction are found by the primary key.
create index journal_of_workspace on journal (workspace_id, at desc, transaction_id desc, kind desc)
  where kind in ('fund', 'settle', 'refund', 'withdraw');

-- The most that one key may spend, in micro-credits; null: no cap. `spent_*` are what its ended calls have cost on the
-- day `spent_on` and in that day's month (UTC).
create table api_key_caps (
  api_key_id uuid primary key references api_keys (id) on delete cascade,
  workspace_id uuid not null,
  day bigint check (day >= 0),
  month bigint check (month >= 0),
  spent_on date not null,
  spent_day bigint not null check (spent_day >= 0),
  spent_month bigint not null check (spent_month >= spent_day)
) with (fillfactor = 50);

-- Calls of keys that have a cap, until what they cost is added to `spent_*`. While a call is open its hold counts.
create table api_key_calls (
  call_id uuid primary key,
  api_key_id uuid not null references api_key_caps (api_key_id) on delete cascade,
  hold bigint not null check (hold >= 0),
  reserved_at timestamptz not null default now()
);
create index api_key_calls_of_key on api_key_calls (api_key_id);
