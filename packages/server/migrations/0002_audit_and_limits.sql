-- Who did what (audit), who may do how much (limits), operators' tokens, and what servers know of each other's key ring.

-- One row per key of the key ring that some server announced: enough to see that two servers hold different rings,
-- nothing that helps to guess a secret.
create table secrets_fingerprints (
  key_id text primary key,
  purpose text not null,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  sign_from timestamptz not null,
  verify_until timestamptz,
  announced_at timestamptz not null default now()
);

create table admin_tokens (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
-- A name is free again once its token was revoked.
create unique index admin_tokens_live_name on admin_tokens (lower(name)) where revoked_at is null;

-- No foreign key on purpose: the story of a workspace outlives it. Milliseconds, so that a page's cursor is exact.
create table audit_entries (
  id uuid primary key,
  at timestamptz(3) not null default clock_timestamp(),
  actor_kind text not null check (actor_kind in ('person', 'key', 'admin', 'system')),
  actor_id text,
  actor_name text,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  workspace_id uuid,
  before jsonb,
  after jsonb,
  request_id text
);
create index audit_entries_by_time on audit_entries (at, id);
create index audit_entries_by_workspace on audit_entries (workspace_id, at, id);
create index audit_entries_by_subject on audit_entries (subject_kind, subject_id, at, id);
create index audit_entries_by_actor on audit_entries (actor_kind, actor_id, at, id);
create index audit_entries_by_action on audit_entries (action, at, id);

-- Append-only. The one way out is forget_audit_entries below: it opens the door for its own statement, inside its own
-- transaction, for rows before a moment that lies at least 30 days back; the trigger checks each row against both.
create function refuse_audit_change() returns trigger language plpgsql as $$
declare
  forget_before text := current_setting('atelier.forget_audit_before', true);
begin
  if tg_op = 'DELETE' and forget_before <> '' then
    if old.at < forget_before::timestamptz and old.at < clock_timestamp() - interval '30 days' then
      return old;
    end if;
  end if;
  raise exception 'audit_entries is append-only: % refused', lower(tg_op) using errcode = 'restrict_violation';
end
$$;

create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_audit_change();
alter table audit_entries enable always trigger audit_entries_append_only;
alter table audit_entries enable always trigger audit_entries_no_truncate;

-- Forgets at most batch_rows entries that are older than keep_days, the oldest first, and says how many.
create function forget_audit_entries(keep_days integer, batch_rows integer) returns integer language plpgsql as $$
declare
  forgotten integer;
  forget_before timestamptz := clock_timestamp() - make_interval(days => keep_days);
begin
  if keep_days is null or keep_days < 30 then
    raise exception 'audit entries are kept for at least 30 days' using errcode = 'invalid_parameter_value';
  end if;
  perform set_config('atelier.forget_audit_before', forget_before::text, true);
  with oldest as (
    select id from audit_entries
    where at < forget_before
    order by at, id limit batch_rows
    for update skip locked
  )
  delete from audit_entries using oldest where audit_entries.id = oldest.id;
  get diagnostics forgotten = row_count;
  perform set_config('atelier.forget_audit_before', '', true);
  return forgotten;
end
$$;

create table limit_overrides (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  name text not null,
  value bigint not null check (value >= 0),
  changed_at timestamptz not null default now(),
  primary key (workspace_id, name)
);

-- What all processes together have admitted: the moment until which a workspace's bucket is spent. Unlogged, since a
-- crash of the database may forget a minute's rate, and this is written every second.
create unlogged table rate_buckets (
  workspace_id uuid not null,
  family text not null,
  -- What the last exchange added; the statement that adds needs it as a column.
  added interval not null,
  spent_until timestamptz not null,
  primary key (workspace_id, family)
);
create index rate_buckets_by_spent_until on rate_buckets (spent_until);
