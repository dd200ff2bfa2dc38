-- Blobs: bytes under the BLAKE3 hash of themselves, once for the whole installation. A row is made by a pin before the
-- bytes are in place, so a collector and an upload of the same bytes always meet in this row and never in a folder.

create table blobs (
  hash bytea primary key check (octet_length(hash) = 32),
  size bigint not null check (size >= 0),
  -- 'deleting' belongs to one collector, from before the bytes go until they are gone.
  state text not null default 'live' check (state in ('live', 'deleting')),
  -- Null until an upload was committed: before that the bytes may not be in place, and nobody may refer to them.
  kept_at timestamptz,
  -- The last pin or the last release of a reference; the collector's grace counts from here.
  touched_at timestamptz not null default now(),
  -- How many uploads set out to write these bytes: damage that was seen on an older writing is not held against a newer.
  writes integer not null default 1,
  -- When the stored bytes were last looked at, and since when they are known to be wrong.
  checked_at timestamptz not null default now(),
  suspect_at timestamptz,
  collector_id uuid,
  deleting_since timestamptz,
  check ((state = 'deleting') = (collector_id is not null)),
  check ((state = 'deleting') = (deleting_since is not null))
) with (fillfactor = 80);
create index blobs_deleting on blobs (deleting_since) where state = 'deleting';
create index blobs_by_checked_at on blobs (checked_at) where state = 'live';

-- An upload between its decision to use a blob and its commit. What a dead process left behind expires.
create table blob_pins (
  id uuid primary key,
  hash bytea not null references blobs (hash),
  expires_at timestamptz not null
);
create index blob_pins_by_hash on blob_pins (hash);
create index blob_pins_by_expiry on blob_pins (expires_at);

-- What keeps a blob. Inserted and deleted by whoever uses it, in the transaction that says so.
create table blob_references (
  hash bytea not null references blobs (hash),
  holder_kind text not null check (char_length(holder_kind) between 1 and 63),
  holder_id text not null check (char_length(holder_id) between 1 and 255),
  primary key (hash, holder_kind, holder_id)
);
