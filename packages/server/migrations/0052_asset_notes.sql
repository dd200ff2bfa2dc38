-- What people wrote about an asset. Deleted with it.
create table asset_notes (
  asset_id uuid primary key references assets (id) on delete cascade,
  workspace_id uuid not null references workspaces (id),
  text text not null check (char_length(text) between 1 and 4000),
  updated_at timestamptz not null
);
