-- Since when an operator wants this worker to take no more jobs. Null: it takes them.
alter table pool_workers add column drained_at timestamptz;
