-- no-transaction
-- For people who look: a request by its id, the replays of a call, and what went wrong. Only replays and failures are in
-- the latter two, so that a call that succeeds writes one more entry and no more. Ids of requests begin with their time,
-- which keeps what is written into the first one together.
drop index concurrently if exists usage_of_request;
create index concurrently usage_of_request on usage (request_id) where request_id is not null;
drop index concurrently if exists usage_of_replays;
create index concurrently usage_of_replays on usage (call_id) where is_replay;
drop index concurrently if exists usage_of_failures;
create index concurrently usage_of_failures on usage (workspace_id, at desc, id desc)
  where outcome <> 'succeeded' and not is_replay;
