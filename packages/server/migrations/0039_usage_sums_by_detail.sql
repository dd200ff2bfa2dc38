-- Sums of usage in three details, each for itself, so that a figure reads no more lines than it tells: 0 by outcome alone (the
-- subject is empty), 1 by subject and outcome, 2 by everything. They are made anew by the work that adds usage up; until then
-- figures are read from the rows.
drop index usage_sums_of_workspace;
truncate usage_sums;
update usage_sums_span set rolled_from = '1970-01-01T00:00:00Z', rolled_until = '1970-01-01T00:00:00Z';
alter table usage_sums add column detail integer not null;
create index usage_sums_of_workspace on usage_sums (workspace_id, detail, is_day, slot);
