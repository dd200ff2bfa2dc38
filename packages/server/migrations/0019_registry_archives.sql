-- Archives of the upstream registry that are kept here, and when a deleted node's own ones may go.

-- A version of the upstream registry whose archive somebody wanted. Its bytes never change: what came first is what counts,
-- also after the bytes were let go for want of room and brought again.
create table registry_upstream_archives (
  -- The upstream registry's id of the version.
  version_id uuid primary key,
  node_id_folded text not null,
  version text not null check (char_length(version) between 1 and 100),
  state text not null check (state in ('wanted', 'kept', 'let_go', 'refused')),
  hash bytea check (octet_length(hash) = 32),
  size bigint check (size >= 0),
  -- When somebody last asked for it; what was asked for longest ago is let go first.
  asked_at timestamptz not null default now(),
  -- Who begins to bring it moves this on: a claim, and the pause before the next attempt.
  try_after timestamptz not null default now(),
  attempts integer not null default 0,
  -- Why it was refused, or why the last attempt failed.
  problem text,
  check ((hash is null) = (size is null)),
  check (state <> 'kept' or hash is not null)
);
create index registry_upstream_archives_wanted on registry_upstream_archives (try_after) where state = 'wanted';
create index registry_upstream_archives_kept on registry_upstream_archives (asked_at) where state = 'kept';
create index registry_upstream_archives_of_node on registry_upstream_archives (node_id_folded);

alter table nodes add column deleted_at timestamptz;
update nodes set deleted_at = changed_at where status = 'NodeStatusDeleted';
create index nodes_by_deletion on nodes (deleted_at) where deleted_at is not null;

-- In the database, so that a process of the last version notes it as well.
create function nodes_note_deletion() returns trigger language plpgsql as $$
begin
  new.deleted_at := clock_timestamp();
  return new;
end
$$;
create trigger nodes_deleted before update of status on nodes
  for each row when (new.status = 'NodeStatusDeleted' and old.status <> 'NodeStatusDeleted')
  execute function nodes_note_deletion();

-- The registry itself ends the versions of a node that was deleted long enough ago.
alter table node_version_moves drop constraint node_version_moves_actor_kind_check;
alter table node_version_moves add constraint node_version_moves_actor_kind_check
  check (actor_kind in ('admin', 'publisher', 'checks', 'registry'));
