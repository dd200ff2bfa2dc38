-- Workflows that a workspace keeps under a name. A version never changes and is never renumbered; `saved_workflows.version` is
-- the latest one and always exists. `revision` rises with every change of any kind and is the ETag. A name is unique in its
-- folder among workflows that are not archived.
create table saved_workflows (
  id uuid primary key,
  workspace_id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  -- Names joined by slashes; '' is the top.
  folder text not null check (char_length(folder) <= 800),
  tags text[] not null,
  version integer not null check (version >= 1),
  revision integer not null check (revision >= 1),
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Words of the latest version; classes as `class=…`.
  document_words text[] not null,
  -- Those, and the words of the name, folder and tags; exact tags as `tag=…`.
  words tsvector not null
);
create index saved_workflows_newest on saved_workflows (workspace_id, updated_at desc, id desc);
create unique index saved_workflows_names on saved_workflows (workspace_id, folder, name) where archived_at is null;
create index saved_workflows_words on saved_workflows using gin (words);

create table saved_workflow_versions (
  workflow_id uuid not null references saved_workflows (id) on delete cascade,
  version integer not null check (version >= 1),
  workspace_id uuid not null,
  format text not null check (format in ('editor', 'api')),
  -- The bytes as they were sent.
  document bytea not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  nodes integer not null check (nodes >= 0),
  note text check (char_length(note) <= 500),
  restored_from integer,
  created_at timestamptz not null,
  created_by_kind text check (created_by_kind in ('person', 'key')),
  created_by_id uuid,
  primary key (workflow_id, version)
);
