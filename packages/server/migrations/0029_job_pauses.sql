-- Queues of workspaces that are paused: nothing of theirs is claimed, whatever the pool and the worker. Every claim reads
-- this table in its transaction, so one who pauses takes the whole table for a moment: claims that are on their way end
-- first, and later ones see the row.
create table job_pauses (
  workspace_id uuid primary key references workspaces (id),
  paused_at timestamptz not null default now()
);
