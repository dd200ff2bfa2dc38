-- Who may call: workspaces, the people in them, their API keys and the ways a person signs in.
-- Secrets (keys, sign-in links, session cookies) are stored as SHA-256 only: each holds at least 190 random bits, so
-- a fast hash is right and the unique index on it is the look-up.

create table workspaces (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  -- Allow patterns: `*`, `provider/*` or one model id. Null: the installation's default; empty: no model at all.
  entitlements text[],
  -- Both set for a workspace that came from an external identity issuer, which knows it by its own name.
  issuer text,
  external_id text,
  created_at timestamptz not null,
  unique (issuer, external_id),
  check ((issuer is null) = (external_id is null))
);

create table people (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  -- For people to recognise each other. Nobody is ever matched by it: we do not verify addresses.
  email text check (char_length(email) between 3 and 254),
  -- Both set for a person whom an external identity issuer vouches for.
  issuer text,
  subject text,
  created_at timestamptz not null,
  unique (issuer, subject),
  check ((issuer is null) = (subject is null))
);

create table members (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null,
  -- A removed member leaves this row behind: an external issuer's next token must not let the person in again.
  removed_at timestamptz,
  primary key (workspace_id, person_id)
);
create index members_by_person on members (person_id) where removed_at is null;

create table api_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  -- What lists show: enough to recognise the key, nothing of its secret part.
  prefix text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  role text not null check (role in ('owner', 'member')),
  scopes text[] not null check (scopes <@ array['models', 'partners', 'registry', 'workflows', 'account']),
  created_by uuid references people (id) on delete set null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_by_workspace on api_keys (workspace_id, created_at);

create table sign_in_links (
  hash bytea primary key check (octet_length(hash) = 32),
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_by_expiry on sign_in_links (expires_at);

create table sessions (
  id uuid primary key,
  hash bytea not null unique check (octet_length(hash) = 32),
  person_id uuid not null references people (id) on delete cascade,
  -- The workspace the person is looking at; null when the last membership ended.
  workspace_id uuid references workspaces (id) on delete set null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_person on sessions (person_id);
create index sessions_by_expiry on sessions (expires_at);

-- One row, written by the first start on an empty database. While it stands, no bootstrap key is ever written again.
create table installation (
  only_row boolean primary key default true check (only_row),
  workspace_id uuid not null,
  person_id uuid not null,
  key_id uuid not null,
  bootstrapped_at timestamptz not null
);
