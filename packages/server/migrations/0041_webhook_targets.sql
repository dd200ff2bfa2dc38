-- Receivers on this machine that webhooks may reach while someone develops against it. Only a server for development reads them.

create table webhook_targets (
  target text primary key,
  opened_at timestamptz not null
);
