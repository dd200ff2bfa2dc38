-- Assets: records with a UUID over blobs that are keyed by their hash. What a workspace sees as "already here" is decided
-- by its own rows alone; that the bytes are stored once for everybody shows nowhere in these tables.

create table assets (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  hash bytea not null check (octet_length(hash) = 32),
  size bigint not null check (size >= 0),
  -- What the caller said it is; shown, never served.
  content_type text not null check (char_length(content_type) between 1 and 255),
  -- What it is served as, decided from the bytes and a list of harmless types.
  served_type text not null,
  kind text not null check (kind in ('image', 'video', 'audio', 'text', 'file', 'latent')),
  file_path text check (octet_length(file_path) between 1 and 1024),
  tags text[] not null default '{}' check (cardinality(tags) <= 64),
  -- The job that made it; null for uploads.
  job_id uuid,
  created_at timestamptz not null,
  -- Null: never.
  expires_at timestamptz
);
-- Equal bytes under an equal name are one record, however often and from wherever they are sent at once.
create unique index assets_one_per_place on assets (workspace_id, job_id, hash, file_path) nulls not distinct;
-- "Does this workspace have these bytes?" is one probe here, whether anybody else has them or not.
create index assets_by_hash on assets (workspace_id, hash);
create index assets_newest on assets (workspace_id, created_at desc, id desc);
create index assets_by_job on assets (job_id) where job_id is not null;
create index assets_by_tag on assets using gin (tags) where tags <> '{}';
create index assets_by_expiry on assets (expires_at) where expires_at is not null;

-- Whoever still needs an asset stands here: a job that reads it, a job that made it. It cannot be deleted meanwhile; the
-- reference refuses what a look at this table a moment earlier would have let pass.
create table asset_holds (
  asset_id uuid not null references assets (id),
  holder_kind text not null,
  holder_id uuid not null,
  primary key (asset_id, holder_kind, holder_id)
);
create index asset_holds_by_holder on asset_holds (holder_kind, holder_id);

-- What a workspace uses of its quotas. The row is changed in the transaction that adds or removes the record, so the sums
-- are exact; it is changed last, so that it is locked for as short as can be. Reserved: uploads that are on their way.
create table asset_usage (
  workspace_id uuid primary key references workspaces (id),
  bytes bigint not null default 0 check (bytes >= 0),
  assets bigint not null default 0 check (assets >= 0),
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
  reserved_assets bigint not null default 0 check (reserved_assets >= 0)
) with (fillfactor = 50);

-- Small pictures, per workspace although the bytes are equal: how fast one comes must not tell who else has the original.
create table asset_thumbnails (
  workspace_id uuid not null references workspaces (id),
  source_hash bytea not null check (octet_length(source_hash) = 32),
  side integer not null check (side in (128, 512)),
  -- Null: no picture can be made of it, and nobody needs to try again.
  hash bytea check (octet_length(hash) = 32),
  created_at timestamptz not null,
  primary key (workspace_id, source_hash, side)
);

-- Resumable uploads. `received` counts bytes that are on the disk for certain. The writer is whoever appends now; its
-- lease ends by itself when its process dies. A completed row stays until it expires, so that repeats get the same answer.
create table asset_uploads (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  length bigint not null check (length >= 0),
  received bigint not null default 0 check (received between 0 and length),
  content_type text not null,
  file_path text,
  tags text[] not null,
  expected_hash bytea check (octet_length(expected_hash) = 32),
  keep_seconds integer,
  metadata text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  writer uuid,
  writer_until timestamptz,
  asset_id uuid
) with (fillfactor = 70);
create index asset_uploads_by_expiry on asset_uploads (expires_at);
