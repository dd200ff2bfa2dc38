-- How each node of a job's graph is doing, as one short text (capabilities/jobs/node-picture.ts): while the job runs beside
-- its progress, and with the end in the job's own row, for as long as that is kept. At most 40 KiB, however large the graph is.
alter table job_live add column nodes text check (octet_length(nodes) <= 65536);
alter table jobs add column nodes text;
