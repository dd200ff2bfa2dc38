-- Partner tasks: what was started at a partner, for whom, and how far it is. A task has the id of the call that pays for
-- it: one name for the hold, the task, our reference at the partner and the subject of its webhooks.

-- What whoever takes a call over must know besides its money: who is to be told, and what a read shows of the request.
alter table calls add column context jsonb;

create table partner_tasks (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  partner text not null,
  operation text not null,
  -- How the partner calls it; never shown.
  partner_task_id text not null check (char_length(partner_task_id) between 1 and 500),
  -- States only move forward.
  state text not null check (state in ('created', 'running', 'completed', 'failed')),
  -- How many changes there were; 0 at creation.
  sequence integer not null default 0 check (sequence >= 0),
  webhook_url text check (char_length(webhook_url) between 1 and 2048),
  -- Parts of the request that a read shows, as they were written: pointer → JSON text.
  echo jsonb not null,
  -- What a read answers, and what the first answer was: JSON texts, so that every digit stays.
  body text not null,
  first_body text not null,
  -- For the recognition of blind retries: a hash of path, body and, if there was one, the caller's job id.
  retry_key bytea not null check (octet_length(retry_key) = 32),
  -- When the first answer had been written to its connection; null: it never was, or nobody knows.
  answered_at timestamptz,
  -- Which poller looks after it.
  shard smallint not null check (shard between 0 and 15),
  longest_run_seconds integer not null check (longest_run_seconds between 1 and 86400),
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state in ('completed', 'failed')) = (ended_at is not null))
) with (fillfactor = 70);
create index partner_tasks_retries on partner_tasks (workspace_id, retry_key, created_at desc);
-- Small however many tasks have ended.
create index partner_tasks_open on partner_tasks (shard, created_at) where ended_at is null;
create index partner_tasks_ended on partner_tasks (ended_at) where ended_at is not null;

-- Callbacks that were taken: an event counts once. Forgotten when the window is over in which it could come again.
create table partner_callbacks (
  partner text not null,
  event_id text not null check (char_length(event_id) between 1 and 255),
  taken_at timestamptz not null default now(),
  primary key (partner, event_id)
);
create index partner_callbacks_taken on partner_callbacks (taken_at);

-- Whoever holds a shard asks partners about its open tasks. The plan of when to ask what is the holder's own memory, so
-- that a look that finds nothing new writes nothing.
create table partner_shards (
  shard smallint primary key check (shard between 0 and 15),
  holder_id uuid,
  held_until timestamptz not null
) with (fillfactor = 50);
insert into partner_shards (shard, held_until) select generate_series(0, 15), '-infinity'::timestamptz;

-- Storage tickets: a signed place to put a file, and where to find it afterwards. `asset_id` once the bytes are here.
create table storage_tickets (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  file_name text not null,
  content_type text not null,
  -- As declared before the bytes came, or as they turned out to be.
  sha256 bytea check (octet_length(sha256) = 32),
  asset_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 70);
create index storage_tickets_by_sha256 on storage_tickets (workspace_id, sha256, created_at desc) where asset_id is not null;
create index storage_tickets_by_expiry on storage_tickets (expires_at);
