-- Provider definitions that operators wrote, release states, and who may use the router.

-- Every definition that was ever served, from files (once per content) and from the admin API. Rows never change: a call
-- that began with one is ended by it, also after it was replaced or removed.
create table provider_definitions (
  provider text collate "C" not null check (char_length(provider) between 1 and 64),
  version integer not null check (version >= 1),
  source text not null check (source in ('admin', 'file')),
  -- As JSON text, so that members keep their order. Null: removed by an operator.
  definition json,
  -- SHA-256 of that text.
  digest text not null,
  created_at timestamptz(3) not null default now(),
  created_by text not null check (char_length(created_by) between 1 and 200),
  check (definition is not null or source = 'admin'),
  primary key (provider, version)
);

create function refuse_change_of_provider_definition() returns trigger language plpgsql as $$
begin
  raise exception 'a provider definition never changes: add a version' using errcode = 'restrict_violation';
end
$$;
create trigger provider_definitions_never_change before update or delete or truncate on provider_definitions
  for each statement execute function refuse_change_of_provider_definition();

-- What an operator said about a model's release, whichever definition it comes from. No row: the definition's own word.
create table model_releases (
  model_id text collate "C" primary key check (char_length(model_id) <= 193),
  released boolean not null,
  updated_at timestamptz(3) not null default now()
);

-- Grows with every change of the two tables by an operator, so that every process notices. At most one row.
create table provider_revision (
  singleton boolean primary key default true check (singleton),
  revision bigint not null
);

-- Decisions, section 3: a per-workspace gate, apart from entitlements.
alter table workspaces add column router_enabled boolean not null default true;

-- Whoever ends a call after its owner needs to know whose it was and which definition it began with.
alter table calls
  add column api_key_id uuid,
  add column request_id uuid,
  add column definition_version integer;
