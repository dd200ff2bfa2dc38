-- Versions of registry nodes, their archives and verdicts, their descriptors, and who installed what today.

create table node_versions (
  id uuid primary key,
  -- The node's row, not its name on the wire.
  node_id uuid not null references nodes (id),
  -- Normalised to three numbers; a number is never used twice, deleted or not.
  version text not null check (char_length(version) between 5 and 100),
  status text not null default 'NodeVersionStatusPending' check (status in (
    'NodeVersionStatusActive', 'NodeVersionStatusPending', 'NodeVersionStatusFlagged',
    'NodeVersionStatusBanned', 'NodeVersionStatusDeleted')),
  status_reason text,
  changelog text,
  dependencies text[] not null default '{}',
  deprecated boolean not null default false,
  supported_os text[],
  supported_accelerators text[],
  supported_app_version text,
  supported_app_frontend_version text,
  tags text[] not null default '{}',
  tags_admin text[] not null default '{}',
  extract_status text not null default 'pending' check (extract_status in ('pending', 'success', 'failed')),
  extract_reason text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- The archive: null until an upload completed; then it never changes.
  archive_hash bytea check (octet_length(archive_hash) = 32),
  archive_size bigint,
  uploaded_at timestamptz,
  -- The verdict: an archive without checked_at waits for one. A lease that ran out is somebody's who died.
  check_attempts integer not null default 0,
  check_leased_until timestamptz,
  checked_at timestamptz,
  rule_set text,
  findings jsonb not null default '[]',
  unique (node_id, version),
  check ((archive_hash is null) = (archive_size is null) and (archive_hash is null) = (uploaded_at is null))
);

create index node_versions_waiting on node_versions (uploaded_at)
  where archive_hash is not null and checked_at is null;
create index node_versions_newest on node_versions (created_at desc, id desc);
create index node_versions_by_status on node_versions (status, created_at desc, id desc)
  where status <> 'NodeVersionStatusActive';

-- Every move of a version's status, with who moved it and why; never changed afterwards. Moves of one batch can be
-- taken back together.
create table node_version_moves (
  id uuid primary key,
  version_id uuid not null references node_versions (id),
  moved_at timestamptz not null default now(),
  status_before text not null,
  status_after text not null,
  reason text,
  actor_kind text not null check (actor_kind in ('admin', 'publisher', 'checks')),
  actor_id text,
  actor_name text,
  batch_id uuid,
  undone_at timestamptz
);

create index node_version_moves_of_version on node_version_moves (version_id, moved_at, id);
create index node_version_moves_of_batch on node_version_moves (batch_id) where batch_id is not null;

create table node_descriptors (
  version_id uuid not null references node_versions (id),
  name text not null check (char_length(name) between 1 and 255),
  -- What the wire's descriptor holds beside name and policy.
  fields jsonb not null default '{}',
  policy text not null default 'NodePolicyActive' check (policy in (
    'NodePolicyActive', 'NodePolicyBanned', 'NodePolicyLocalOnly')),
  changed_at timestamptz not null default now(),
  primary key (version_id, name)
);

create index node_descriptors_by_name on node_descriptors (name);

-- Who installed a node on a day, as a keyed hash; forgotten when the day is over.
create table node_installs (
  node_id uuid not null references nodes (id),
  day date not null,
  client bytea not null check (octet_length(client) = 16),
  primary key (day, node_id, client)
);

-- Node classes that may not run everywhere. They stay when the version they were named at is deleted: nobody lifts a
-- ban by deleting what was banned.
create table restricted_node_classes (
  class_name text not null,
  holder text not null,
  policy text not null check (policy in ('NodePolicyBanned', 'NodePolicyLocalOnly')),
  primary key (class_name, holder)
);
