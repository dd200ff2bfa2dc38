-- no-transaction
-- What a job was charged is asked of the calls that its nodes made. Only those are in the index: other calls pay nothing for
-- it, and a list of jobs reads a handful of rows for each that cost something.
drop index concurrently if exists calls_of_jobs;
create index concurrently calls_of_jobs on calls (substring(idempotency_key from 5 for 36))
  where idempotency_key like 'job:%';
