-- no-transaction
-- How long things took before, for those who ask what they would cost: the newest runs of one model, and of one shape of
-- graph on one pool. Only runs that tell something are in these indexes, so each question reads its two hundred rows.
drop index concurrently if exists usage_of_past_runs;
create index concurrently usage_of_past_runs on usage (subject, at desc)
  where outcome = 'succeeded' and not is_replay and provider_ms is not null;
drop index concurrently if exists jobs_of_past_runs;
create index concurrently jobs_of_past_runs on jobs (pool_id, needs_id, nodes_total, finished_at desc)
  where state = 'succeeded' and attempt = 1;
