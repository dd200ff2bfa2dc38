-- What a caller was answered when a request of a known workspace failed: every answer of 400 and above, by the id that it
-- carried. Calls leave usage rows, which say what a call cost; this says what its caller saw, which can be something else: a 502
-- whose call succeeded later, a 404 that named no model, a 422 with its fields. Written in batches, never before the answer.
-- What must hold: at most 10,000 rows of a workspace stay, none for more than 30 days, and a flood writes a few a second.
create table error_answers (
  request_id uuid not null,
  workspace_id uuid not null,
  at timestamptz not null default now(),
  api_key_id uuid,
  method text not null,
  path text not null,
  status integer not null check (status between 400 and 599),
  code text not null,
  message text not null,
  -- The rejected fields of a 422: [{"loc": [...], "msg": "..."}]; null: it named none.
  fields jsonb,
  -- Ids of requests begin with their time, so this is also the order in which they came.
  primary key (workspace_id, request_id)
);
create index error_answers_at on error_answers using brin (at) with (pages_per_range = 32, autosummarize = on);
comment on table error_answers is 'not in backups: errors that callers were answered in the last days';

-- How a provider was asked, where that did not go well: [{"at", "ms", "step", "status", "words"}], the first attempts and the
-- last. Words are the provider's first ones, without secrets and addresses.
alter table usage add column attempts jsonb;
