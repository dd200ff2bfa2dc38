-- Saved workflows that were published as models. A version is written once and never changes; `published_works.version` is the one that
-- the id without a version stands for. `revision` rises with every change of a work and is its ETag.

-- The first half of model ids, reserved with a workspace's first work and never given to another workspace. Null once the
-- workspace is deleted.
create table work_providers (
  provider text collate "C" primary key check (provider ~ '^w[.][a-z0-9]+([._-][a-z0-9]+)*$' and char_length(provider) <= 64),
  workspace_id uuid unique,
  created_at timestamptz not null default now()
);

create table published_works (
  id uuid primary key,
  workspace_id uuid not null,
  -- provider/name.
  model_id text collate "C" not null unique,
  name text collate "C" not null,
  title text check (char_length(title) <= 100),
  description text check (char_length(description) <= 1000),
  visibility text not null check (visibility in ('private', 'shared', 'public')),
  version integer not null check (version >= 1),
  -- How many versions there are; their numbers have no gaps.
  versions integer not null check (versions >= version),
  revision integer not null check (revision >= 1),
  -- The asset of a picture made by an example.
  cover uuid,
  deprecated_at timestamptz,
  sunset_at timestamptz check (sunset_at >= deprecated_at),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index published_works_own on published_works (workspace_id, model_id);
create index published_works_public on published_works (model_id) where visibility = 'public';

create table work_shares (
  -- The workspace that may call it.
  workspace_id uuid not null,
  model_id text collate "C" not null references published_works (model_id) on delete cascade,
  primary key (workspace_id, model_id)
);
create index work_shares_by_work on work_shares (model_id);

create table work_versions (
  work_id uuid not null references published_works (id) on delete cascade,
  version integer not null check (version >= 1),
  workspace_id uuid not null,
  workflow_id uuid not null,
  workflow_version integer not null check (workflow_version >= 1),
  -- In API format, with works inside it expanded. JSON text, so that integers beyond 2^53 keep their digits.
  graph bytea not null,
  form text not null,
  needs jsonb not null,
  examples jsonb not null,
  -- SHA-256 of workflow document, form and examples: publishing the same again makes no new version.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  note text check (char_length(note) <= 500),
  created_at timestamptz not null,
  created_by_kind text check (created_by_kind in ('person', 'key')),
  created_by_id uuid,
  primary key (work_id, version)
);
create index work_versions_by_workflow on work_versions (workflow_id, work_id, version);

-- What a work keeps does not expire: its expires_at is null meanwhile, and the hold remembers when it would have expired.
alter table asset_holds add column is_kept boolean not null default false;
alter table asset_holds add column expired_at timestamptz;
