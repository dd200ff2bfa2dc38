-- Routes: names in the catalog that stand for several models. Those without a workspace are the server's and are open to all.
-- What must hold: a name occurs once in each workspace and once among the server's, and the version rises with every change.
create table model_routes (
  id uuid primary key,
  workspace_id uuid,
  name text not null check (char_length(name) between 1 and 128),
  -- The route as it was written, as JSON text.
  definition text not null,
  version integer not null check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique nulls not distinct (workspace_id, name)
);
