-- Environments: locks of applications that operators keep under a name. What must hold: a version's lock never changes, and
-- its lock_id is the hash of the lock's canonical text, which is what is stored. Equal locks are stored once.
create table environment_locks (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  document text not null
);

create table environments (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  version integer not null check (version > 0),
  lock_id text not null references environment_locks (id),
  note text check (char_length(note) <= 1000),
  application_version text not null,
  packs integer not null,
  weights integer not null,
  weight_bytes bigint not null,
  created_at timestamptz not null,
  unique (name, version)
);
create index environments_lock on environments (lock_id);
