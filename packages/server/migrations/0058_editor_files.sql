-- Small files that the editor keeps for a person in a workspace: settings, bookmarks, key bindings, node templates, blueprints.
-- Workflows are not here: they are saved workflows of the workspace.
-- What must hold: at most 1,000 files and 64 MiB of a person in a workspace. `revision` rises with every write and is the ETag.
create table editor_files (
  workspace_id uuid not null,
  -- The person, or the key of a program.
  owner_id uuid not null,
  -- Names joined by slashes.
  path text not null check (char_length(path) between 1 and 400),
  bytes bytea not null check (octet_length(bytes) <= 10485760),
  revision integer not null check (revision >= 1),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, owner_id, path)
);
