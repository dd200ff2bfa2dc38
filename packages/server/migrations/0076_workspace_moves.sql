-- Workspaces that are moving to another server, or moved. While one is moving it takes no new work and can be read; once it moved,
-- this server only says where it is.
create table workspace_moves (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  moved_to text not null,
  began_at timestamptz not null,
  -- Null: what runs here may still end, and everything can be read.
  moved_at timestamptz
);
