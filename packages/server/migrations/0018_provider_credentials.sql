-- A workspace's own credentials at providers, sealed. Each is bound to the hosts it was entered for: a definition that
-- points elsewhere later does not get it.

create table workspace_provider_credentials (
  workspace_id uuid not null references workspaces (id),
  provider text collate "C" not null check (char_length(provider) between 1 and 64),
  -- Sealed under the key ring.
  sealed text not null,
  hosts text[] not null check (cardinality(hosts) between 1 and 100),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, provider)
);
