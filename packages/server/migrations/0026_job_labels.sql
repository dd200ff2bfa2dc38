-- Labels of jobs: a submission's metadata may be a map of text to text. The map stands with its job as it was given; what
-- is looked for stands in a narrow table of its own. A label is the hash of workspace, pool, key and value, so that one
-- walk of the index, newest first, finds the jobs that carry it, however many jobs there are.

alter table jobs add column metadata_map json;

create table job_labels (
  job_id uuid not null,
  label uuid not null,
  primary key (job_id, label)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index job_labels_newest on job_labels (label, job_id desc);
