-- Webhooks: what a workspace's receivers are told, by whom it was taken, and what is still to be sent. A notice is
-- written in the transaction of the change it tells about, so neither exists without the other. What is to be sent
-- stands in a narrow table of its own: claiming never touches the body, and what is done costs no claim anything.

create table webhook_secrets (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  -- Sealed under the key ring; 32 random bytes.
  sealed text not null,
  created_at timestamptz not null,
  -- Null: the current one. After a rotation the old one goes on signing beside it until then.
  signs_until timestamptz
);
create unique index webhook_secrets_current on webhook_secrets (workspace_id) where signs_until is null;
create index webhook_secrets_of_workspace on webhook_secrets (workspace_id, signs_until);

create table webhook_deliveries (
  -- Also the webhook-id on every attempt.
  id uuid primary key,
  workspace_id uuid not null,
  subject_id text not null check (char_length(subject_id) between 1 and 255),
  sequence integer not null check (sequence >= 1),
  type text not null check (char_length(type) between 1 and 100),
  url text not null check (char_length(url) between 1 and 2048),
  -- Scheme, host and port of the URL: what fails, is disabled and recovers together.
  receiver text not null,
  -- Stored once and sent unchanged, so that every attempt signs the same bytes.
  body bytea not null,
  -- `pending` while the schedule runs; whether it is being sent now stands in webhook_queue.
  status text not null check (status in ('pending', 'delivered', 'dead', 'gone')),
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz,
  last_status integer,
  last_error text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check (status <> 'delivered' or delivered_at is not null)
) with (fillfactor = 80);
-- A change is told once: a number used twice fails the transaction that tries it.
create unique index webhook_deliveries_of_subject on webhook_deliveries (workspace_id, subject_id, sequence);
create index webhook_deliveries_of_workspace on webhook_deliveries (workspace_id, id desc);
-- Small however long the log is: what is under way, and what failed for good.
create index webhook_deliveries_pending on webhook_deliveries (workspace_id, id desc) where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (workspace_id, status, id desc)
  where status in ('dead', 'gone');
create index webhook_deliveries_at on webhook_deliveries using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);

create table webhook_queue (
  delivery_id uuid primary key,
  workspace_id uuid not null,
  receiver text not null,
  -- When it may be claimed. A claim moves it to the end of its lease, so what a dead process held comes back by itself.
  due_at timestamptz not null,
  -- The claim that holds it; a result is taken from this claim only.
  claim_id uuid,
  -- How many attempts of the schedule are done.
  step smallint not null default 0 check (step between 0 and 9),
  -- Asked for by a person: one attempt, outside the schedule.
  is_manual boolean not null default false,
  queued_at timestamptz not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- One lane for each workspace and receiver: a claim asks for lanes, so a receiver that hangs is not even looked at.
create index webhook_queue_lanes on webhook_queue (receiver, workspace_id, due_at);

-- Receivers that failed last time; a success removes the row.
create table webhook_receivers (
  workspace_id uuid not null,
  receiver text not null,
  failures integer not null check (failures >= 1),
  failing_since timestamptz not null,
  -- After five failures in a row: until then nothing is sent to it, and then one attempt a minute.
  resting_until timestamptz,
  -- After five days without a success nothing is sent to it any more, except by hand.
  disabled_at timestamptz,
  primary key (workspace_id, receiver)
) with (fillfactor = 70);

create table webhook_attempts (
  delivery_id uuid not null,
  workspace_id uuid not null,
  number integer not null check (number >= 1),
  is_manual boolean not null,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  primary key (delivery_id, number)
);
