-- The history of scheduled backups, which also decides who makes the next one and when. It is of this database at this location, so
-- a backup leaves it out. What must always hold: a backup is verified only if it is done, and `ended_at` is null only while it
-- runs. A running one whose maker is gone is recognised by the lock that its maker holds.
create table backups (
  id uuid primary key,
  name text not null,
  -- Where it is kept, without credentials.
  location text not null,
  state text not null check (state in ('running', 'done', 'failed')),
  started_at timestamptz not null,
  ended_at timestamptz,
  -- When a restore into a scratch database succeeded and every invariant held.
  verified_at timestamptz,
  -- When it was removed because newer ones replaced it, or was found to be gone.
  removed_at timestamptz,
  -- The schedule that made it. Null: made once, by hand.
  every_seconds integer,
  schema_version integer,
  row_count bigint,
  bytes bigint,
  blob_count bigint,
  -- Why it failed, or what the verification found.
  problem text,
  check ((state = 'running') = (ended_at is null)),
  check (verified_at is null or state = 'done')
);
create index backups_by_start on backups (started_at desc);
comment on table backups is 'not in backups: the history of the backups of this database at this location';
