-- What the registry reads in the code of a version: its classes, with reasons where something is computed at run time, and
-- what the code can do. `reader` is the number of the reader that read it, 0 for none: versions with a lower number than
-- the server's are read in the background. What an operator stored (extracted_by) is never replaced by what was read.
alter table node_versions
  add column reader integer not null default 0,
  add column reading_attempts integer not null default 0,
  add column reading_leased_until timestamptz,
  add column extract_reasons text[] not null default '{}',
  add column extracted_by text check (extracted_by in ('reader', 'operator')),
  add column capabilities text[],
  add column code_uses jsonb,
  drop constraint node_versions_extract_status_check,
  add constraint node_versions_extract_status_check check (extract_status in ('pending', 'success', 'partial', 'failed'));

update node_versions set extracted_by = 'operator',
  extract_reasons = case when extract_reason is null then '{}' else array[extract_reason] end
where extract_status <> 'pending';

create index node_versions_unread on node_versions (reader, created_at desc) where archive_hash is not null;
