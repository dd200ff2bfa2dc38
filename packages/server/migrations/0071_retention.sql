-- How long a workspace keeps its files and its history, where an owner decided that. Null: as long as the server keeps them. What must
-- always hold: nothing is deleted by a rule before applies_at, and never a line of the books.
create table retention_rules (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  outputs_days integer check (outputs_days >= 1),
  uploads_days integer check (uploads_days >= 1),
  history_days integer check (history_days >= 1),
  changed_at timestamptz not null,
  applies_at timestamptz not null
);

-- Removing tags and end users from old lines of usage changes no sum, so it must not throw the sums away.
create or replace function usage_sums_end_where_rows_change() returns trigger language plpgsql as $$
declare
  origin constant timestamptz := '2000-01-01T00:00:00Z';
  span usage_sums_span;
  first timestamptz;
begin
  select * into span from usage_sums_span for update;
  if tg_op = 'TRUNCATE' then
    first := span.rolled_from;
  elsif tg_op = 'UPDATE' then
    select min(at) into first from (
      (select workspace_id, at, subject, outcome, status, api_key_id, is_replay, credits, total_ms from was
       except all
       select workspace_id, at, subject, outcome, status, api_key_id, is_replay, credits, total_ms from becomes)
      union all
      (select workspace_id, at, subject, outcome, status, api_key_id, is_replay, credits, total_ms from becomes
       except all
       select workspace_id, at, subject, outcome, status, api_key_id, is_replay, credits, total_ms from was)
    ) as touched
    where at >= span.rolled_from and at < span.rolled_until;
  else
    select min(at) into first from was where at >= span.rolled_from and at < span.rolled_until;
  end if;
  if first is null then
    return null;
  end if;
  first := date_bin('1 hour', first, origin);
  delete from usage_sums where slot >= first or (is_day and slot >= date_bin('1 day', first, origin));
  update usage_sums_span set rolled_until = first;
  return null;
end
$$;
