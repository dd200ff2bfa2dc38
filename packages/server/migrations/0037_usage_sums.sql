-- Sums over usage, so that a figure over a month does not read a month of rows: by workspace and hour, and by whole days, in
-- every dimension that a figure is filtered or grouped by. They are made from the rows, after them and never with them: a call
-- writes nothing here.
-- What must hold: for every moment from `rolled_from` to `rolled_until` the sums are exactly the rows, and there is none for
-- any other. Rows outside are read as they are, so a figure is exact whatever was added up. Both tables can be emptied: with the
-- two moments equal everything is added up anew.
create table usage_sums (
  workspace_id uuid not null,
  is_day boolean not null,
  -- The beginning of the hour or UTC day.
  slot timestamptz not null,
  subject text not null,
  outcome text not null,
  status integer,
  api_key_id uuid,
  is_replay boolean not null,
  calls integer not null,
  credits bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- How long the calls took: cells that are 5 % wide, how many calls are in each, and the longest of each. Null for replays.
  cells integer[],
  cell_calls integer[],
  cell_ms integer[]
);
create index usage_sums_of_workspace on usage_sums (workspace_id, is_day, slot);
create index usage_sums_by_slot on usage_sums (slot);
comment on table usage_sums is 'not in backups: made again from usage';

create table usage_sums_span (
  is_single boolean primary key default true check (is_single),
  -- An hour's beginning.
  rolled_from timestamptz not null default '1970-01-01T00:00:00Z',
  rolled_until timestamptz not null default '1970-01-01T00:00:00Z'
);
insert into usage_sums_span default values;
comment on table usage_sums_span is 'not in backups: made again from usage';

-- Rows that are changed or removed take the sums from their hour on along. The row of the span is locked first: who adds up
-- locks it too, so neither overlooks the other. Inserting fires nothing: rows come with the moment of their transaction, and
-- what an open transaction may still write into is not added up.
create function usage_sums_end_where_rows_change() returns trigger language plpgsql as $$
declare
  origin constant timestamptz := '2000-01-01T00:00:00Z';
  span usage_sums_span;
  first timestamptz;
begin
  select * into span from usage_sums_span for update;
  if tg_op = 'TRUNCATE' then
    first := span.rolled_from;
  elsif tg_op = 'UPDATE' then
    select min(at) into first from (select at from was union all select at from becomes) as touched
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
create trigger usage_sums_after_update after update on usage
  referencing old table as was new table as becomes
  for each statement execute function usage_sums_end_where_rows_change();
create trigger usage_sums_after_delete after delete on usage
  referencing old table as was
  for each statement execute function usage_sums_end_where_rows_change();
create trigger usage_sums_after_truncate after truncate on usage
  for each statement execute function usage_sums_end_where_rows_change();
