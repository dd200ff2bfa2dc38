-- A process that comes back on a machine can see that another one there is gone: then nothing more is sent by it, and what
-- its provider says about a call can be believed soon instead of after the quarantine for processes that may only sleep.
-- `process` names a process of one machine since its start; null where that cannot be known. `died_at` is written once, by
-- another process of the same machine that found it gone. `sender_died_at` is set when a call is taken over from the process
-- that may have sent it, and emptied when a process begins the call again.
alter table call_owners add column process text, add column died_at timestamptz;
alter table calls add column sender_died_at timestamptz;
