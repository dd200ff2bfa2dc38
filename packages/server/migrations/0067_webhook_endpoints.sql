-- no-transaction
-- Endpoints: addresses of a workspace that get its events by type. An event becomes one delivery for each endpoint that asks
-- for it, in the transaction of the change, beside the one for an address that was given with the thing itself.
-- What must always hold: an event has at most one delivery per endpoint, which the unique index of deliveries enforces; a
-- delivery whose endpoint is gone is never sent.
create table if not exists webhook_endpoints (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  url text not null check (char_length(url) between 1 and 2048),
  -- Scheme, host and port of the URL, as in webhook_receivers.
  receiver text not null,
  description text not null default '' check (char_length(description) <= 200),
  types text[] not null check (cardinality(types) >= 1),
  -- Each null: does not matter. The tag is a map of one pair.
  filter_tag jsonb,
  filter_model text,
  filter_deployment uuid,
  created_at timestamptz not null,
  -- Set by a person, who also ends it. Nothing is sent meanwhile, except by hand.
  paused_at timestamptz
);
create index if not exists webhook_endpoints_of_workspace on webhook_endpoints (workspace_id, id);

-- As webhook_secrets, for one endpoint each.
create table if not exists webhook_endpoint_secrets (
  id uuid primary key,
  workspace_id uuid not null,
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  sealed text not null,
  created_at timestamptz not null,
  signs_until timestamptz
);
create unique index if not exists webhook_endpoint_secrets_current on webhook_endpoint_secrets (endpoint_id)
  where signs_until is null;
create index if not exists webhook_endpoint_secrets_of_workspace on webhook_endpoint_secrets (workspace_id, endpoint_id);

-- Null: for the address given with the thing itself.
alter table webhook_deliveries add column if not exists endpoint_id uuid;
drop index concurrently if exists webhook_deliveries_of_event;
create unique index concurrently webhook_deliveries_of_event
  on webhook_deliveries (workspace_id, subject_id, sequence, endpoint_id) nulls not distinct;
drop index concurrently if exists webhook_deliveries_of_endpoint;
create index concurrently webhook_deliveries_of_endpoint on webhook_deliveries (workspace_id, endpoint_id, id desc)
  where endpoint_id is not null;
drop index concurrently if exists webhook_deliveries_of_subject;
