-- Weights: model files that operators keep, content-addressed in the blob store, and workers that fill their folders with
-- them. What must hold: a weight that is ready has its bytes held in the blob store under its blake3, with the SHA-256 and
-- the BLAKE3 of each piece (32 bytes each) computed from exactly those bytes.
create table weights (
  id uuid primary key,
  path text not null check (char_length(path) between 3 and 1000),
  blake3 text not null check (blake3 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes > 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  pieces bytea,
  state text not null check (state in ('arriving', 'ready', 'failed')),
  bytes_received bigint not null default 0,
  problem text,
  url text,
  parts text[] not null default '{}',
  licence text check (char_length(licence) <= 200),
  note text check (char_length(note) <= 1000),
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- While a process brings the bytes.
  claimed_until timestamptz,
  unique (path, blake3),
  check (state <> 'ready' or (sha256 is not null and pieces is not null))
);
create index weights_blake3 on weights (blake3);
create index weights_arriving on weights (created_at) where state = 'arriving';

-- One row for each worker that fills. share_key lets neighbours of the same pool read weights from that worker, and nothing
-- else; it is made at each start of the worker.
create table weight_fills (
  worker_id uuid primary key,
  token_id uuid not null,
  pool_id uuid not null,
  name text not null,
  state text not null check (state in ('filling', 'filled', 'failed')),
  bytes_done bigint not null,
  bytes_total bigint not null,
  problem text,
  share_url text,
  share_key text,
  has text[] not null default '{}',
  accusations integer not null default 0,
  accused_by text,
  seen_at timestamptz not null
);
create index weight_fills_seen on weight_fills (seen_at);

-- Which weights the locks of environments name.
create table environment_weights (
  lock_id text not null references environment_locks (id) on delete cascade,
  path text not null,
  blake3 text not null,
  primary key (lock_id, path)
);
create index environment_weights_blake3 on environment_weights (blake3);
insert into environment_weights (lock_id, path, blake3)
select locks.id, weight ->> 'path', weight ->> 'blake3'
from environment_locks as locks, jsonb_array_elements(locks.document::jsonb -> 'weights') as weight;
