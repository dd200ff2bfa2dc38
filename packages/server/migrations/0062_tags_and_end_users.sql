-- no-transaction
-- Tags and the end user of a call: text to text, given by the caller, and the caller's own id of the person it is for. They are
-- kept with the call (and with a job and what it reserves) until it ends, and then with its usage row, which is what lists and
-- sums read. They are no dimension of usage_sums: a million different tags make no row that a million calls would not make.
-- What must always hold: a usage row has the tags and the end user of its call.
alter table calls add column if not exists tags jsonb, add column if not exists end_user text;
alter table reservations add column if not exists tags jsonb, add column if not exists end_user text;
alter table jobs add column if not exists labels jsonb;
alter table usage add column if not exists tags jsonb, add column if not exists end_user text;
-- Only rows that have them are in these, so that other calls write no more than before.
drop index concurrently if exists usage_of_tags;
create index concurrently usage_of_tags on usage (workspace_id, at desc, id desc) where tags is not null;
drop index concurrently if exists usage_of_end_users;
create index concurrently usage_of_end_users on usage (workspace_id, end_user, at desc) where end_user is not null;
