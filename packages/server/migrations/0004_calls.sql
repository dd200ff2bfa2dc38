-- Calls: everything that is paid for happens inside a call. One wallet row per workspace (a transfer over several rows
-- can deadlock, one row cannot), an append-only journal that explains every micro-credit, keys that live 24 hours past
-- completion, and answers in hourly partitions, so that forgetting them is dropping a table.

create table wallets (
  workspace_id uuid primary key references workspaces (id),
  available bigint not null default 0 check (available >= 0),
  held bigint not null default 0 check (held >= 0),
  -- Calls at the providers now, and how many of them are costly ones.
  in_flight integer not null default 0 check (in_flight >= 0),
  costly_in_flight integer not null default 0 check (costly_in_flight >= 0 and costly_in_flight <= in_flight)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

create table calls (
  id uuid primary key,
  workspace_id uuid not null,
  -- What is paid for: a model, a partner's operation, a job.
  subject text not null,
  idempotency_key text check (char_length(idempotency_key) between 1 and 255),
  fingerprint bytea not null,
  state text not null default 'open' check (state in ('open', 'finished', 'unknown')),
  -- Every write by the owner carries the fence; whoever takes the call over raises it.
  fence integer not null default 1,
  owner_id uuid,
  takes_slot boolean not null,
  is_costly boolean not null,
  hold bigint not null check (hold >= 0),
  settled bigint check (settled between 0 and hold),
  price_record_id uuid,
  -- The members of the input that the price reads, so that a successor charges what the first owner would have.
  priced_input jsonb,
  -- What the provider can do for us after a crash: be asked, be repeated under our id, or neither.
  recovery text not null check (recovery in ('ask', 'repeat', 'neither')),
  -- How the provider knows our work, once it told us.
  handle jsonb,
  longest_run_seconds integer not null check (longest_run_seconds between 1 and 86400),
  begun_at timestamptz not null default now(),
  -- Set when a new owner took over: from then on the quarantine counts.
  adopted_at timestamptz,
  look_again_at timestamptz,
  not_found_times integer not null default 0,
  finished_at timestamptz,
  outcome text,
  check ((state = 'open') = (settled is null)),
  check ((state = 'open') = (finished_at is null)),
  check (state = 'open' or owner_id is null)
) with (fillfactor = 80);
-- The only look-ups besides the primary key are over what is open, so the cost does not grow with what is stored.
create index calls_finished on calls using brin (finished_at) with (pages_per_range = 32, autosummarize = on);
create index calls_open on calls (owner_id) where state = 'open';

create table call_keys (
  workspace_id uuid not null,
  idempotency_key text not null,
  call_id uuid not null,
  fingerprint bytea not null,
  -- Null while the call is open.
  answered_at timestamptz,
  primary key (workspace_id, idempotency_key)
) with (fillfactor = 80);
create index call_keys_answered on call_keys (answered_at) where answered_at is not null;

create table call_owners (
  id uuid primary key,
  heartbeat_at timestamptz not null default now(),
  started_at timestamptz not null default now()
) with (fillfactor = 50);

create table call_answers (
  call_id uuid not null,
  answered_at timestamptz not null,
  status integer not null check (status between 100 and 599),
  headers jsonb not null,
  body bytea,
  -- Above 256 KiB the bytes are a blob: its hash, and how long they are.
  blob_hash text,
  body_bytes bigint not null,
  check ((body is null) <> (blob_hash is null)),
  primary key (call_id, answered_at)
) partition by range (answered_at);
-- Most answers are a few kilobytes and live for a day: stored as they are, beside their row.
alter table call_answers alter column body set storage external;
create table call_answers_default partition of call_answers default with (toast_tuple_target = 8160);

create table journal (
  -- The call, top-up or refund that moved the credits.
  transaction_id uuid not null,
  kind text not null check (kind in ('fund', 'hold', 'settle', 'release', 'refund', 'withdraw', 'suspense')),
  workspace_id uuid not null,
  debit text not null check (debit in ('funding', 'available', 'held', 'revenue', 'provider_cost', 'suspense')),
  credit text not null check (credit in ('funding', 'available', 'held', 'revenue', 'provider_cost', 'suspense')),
  amount bigint not null check (amount > 0),
  at timestamptz not null default now(),
  check (debit <> credit),
  primary key (transaction_id, kind)
);
create index journal_at on journal using brin (at) with (pages_per_range = 32, autosummarize = on);

create function refuse_change_of_journal() returns trigger language plpgsql as $$
begin
  raise exception 'the journal is append-only' using errcode = 'restrict_violation';
end
$$;
create trigger journal_is_append_only before update or delete or truncate on journal
  for each statement execute function refuse_change_of_journal();

-- What a workspace's accounts stood at when a month ended: sums begin here instead of at the first line ever written.
create table journal_closings (
  workspace_id uuid not null,
  month date not null,
  available bigint not null,
  held bigint not null,
  revenue bigint not null,
  primary key (workspace_id, month)
);

create table usage (
  -- No index of its own: nobody looks a row up by its id alone.
  id uuid not null,
  workspace_id uuid not null,
  request_id uuid,
  call_id uuid,
  api_key_id uuid,
  subject text not null,
  -- The bucket or word that the caller saw; 'succeeded' for an answer of the provider.
  outcome text not null,
  status integer,
  credits bigint not null check (credits >= 0),
  is_replay boolean not null,
  at timestamptz not null default now(),
  total_ms integer not null,
  provider_ms integer
);
create index usage_at on usage using brin (at) with (pages_per_range = 32, autosummarize = on);
create index usage_of_workspace on usage (workspace_id, id desc);

-- By grant as well as by trigger: not even our own role may rewrite the books without first granting itself the right.
revoke update, delete, truncate on journal from current_user;
