-- The node registry: who publishes, what they publish, and how it is found. Versions and descriptors have a file of
-- their own; `nodes.latest_version_id` is written only by the one resolver of "latest" over there.

create table publishers (
  id text primary key check (id ~ '^[a-z][a-z0-9-]{0,63}$'),
  workspace_id uuid not null references workspaces (id),
  name text not null check (char_length(name) between 1 and 200),
  description text,
  logo text,
  website text,
  support text,
  source_code_repo text,
  status text not null check (status in ('PublisherStatusActive', 'PublisherStatusBanned')),
  -- `workspace`: only callers of the publisher's workspace and its members see it and its nodes.
  visibility text not null check (visibility in ('public', 'workspace')),
  -- Null: made with an API key, which acts for its workspace.
  created_by uuid references people (id) on delete set null,
  created_at timestamptz not null,
  -- A deleted publisher keeps its id: nobody can come after it under the same name.
  deleted_at timestamptz
);
create index publishers_by_workspace on publishers (workspace_id);

create table publisher_members (
  id uuid primary key,
  publisher_id text not null references publishers (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null,
  unique (publisher_id, person_id)
);
create index publisher_members_by_person on publisher_members (person_id);

-- Tokens hold 190 random bits and more, so a fast hash is right and its index is the look-up.
create table publisher_tokens (
  id uuid primary key,
  publisher_id text not null references publishers (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  description text,
  -- What lists show of it.
  beginning text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index publisher_tokens_by_publisher on publisher_tokens (publisher_id, created_at);

create table nodes (
  id uuid primary key,
  -- As its publisher spells it; unique whatever the case.
  node_id text not null check (node_id ~ '^[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$'),
  node_id_folded text not null unique check (node_id_folded = lower(node_id)),
  -- Null: nobody owns it (made by an operator, or read from the upstream registry).
  publisher_id text references publishers (id),
  -- Null: everybody may see it; else only this workspace and the publisher's members.
  visible_to uuid references workspaces (id),
  name text not null check (char_length(name) >= 1),
  description text not null default '',
  author text,
  category text,
  license text,
  repository text,
  icon text,
  banner_url text,
  tags text[] not null default '{}',
  tags_admin text[] not null default '{}',
  supported_accelerators text[],
  supported_os text[],
  supported_app_version text,
  supported_app_frontend_version text,
  status text not null check (status in ('NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned')),
  status_detail text,
  -- Installs, once per client and day.
  downloads bigint not null default 0 check (downloads >= 0),
  github_stars integer check (github_stars >= 0),
  stars_read_at timestamptz,
  rating numeric,
  search_ranking integer,
  preempted_svc_node_names text[] not null default '{}',
  -- The highest semantic version among the active ones; null when there is none.
  latest_version_id uuid,
  -- The node as the upstream registry told it; such a node is read-only here.
  upstream jsonb,
  search_document tsvector not null,
  created_at timestamptz not null,
  -- When something that readers see last changed, by the clock of the database. Counted installs do not move it.
  changed_at timestamptz not null default clock_timestamp()
) with (fillfactor = 80);
create index nodes_by_publisher on nodes (publisher_id) where publisher_id is not null;
create index nodes_by_change on nodes (changed_at, id);
create index nodes_by_creation on nodes (created_at desc, id desc);
create index nodes_by_downloads on nodes (downloads desc, id);
create index nodes_search on nodes using gin (search_document);
create index nodes_preempting on nodes using gin (preempted_svc_node_names);

create function nodes_note_change() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end
$$;
create trigger nodes_changed before update on nodes
  for each row when (old.downloads = new.downloads and old.stars_read_at is not distinct from new.stars_read_at)
  execute function nodes_note_change();

-- One rating per reviewer and node. A reviewer is a person, or a workspace whose API key was used.
create table node_reviews (
  node_id uuid not null references nodes (id) on delete cascade,
  reviewer uuid not null,
  star smallint not null check (star between 1 and 5),
  created_at timestamptz not null,
  primary key (node_id, reviewer)
);

create table node_translations (
  node_id uuid not null references nodes (id) on delete cascade,
  language text not null check (char_length(language) between 1 and 35),
  texts jsonb not null,
  primary key (node_id, language)
);

-- A word and what is left of it when one letter falls out. Two words that are one slip of the hand apart (a letter changed,
-- added, left out, or two neighbours swapped) have one of these in common.
create function registry_word_variants(word text) returns text[] language sql immutable parallel safe as $$
  select array_agg(distinct left(word, at - 1) || substr(word, at + 1)) || word
  from generate_series(1, char_length(word)) as at
$$;

-- Every word that some node can be found by, so that a misspelt word can be led to the nearest written ones.
create table registry_words (
  word text collate "C" primary key,
  variants text[] not null generated always as (registry_word_variants(word)) stored
);
create index registry_words_one_slip on registry_words using gin (variants);

-- For words that are more than one slip away, trigrams. A database without the extension gets the same function over words
-- of the same first letter and about the same length; the server measures the distance itself either way.
do $do$
begin
  begin
    create extension if not exists pg_trgm;
  exception when others then
    raise notice 'pg_trgm is not available: words with several slips are found by their first letter';
  end;
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index registry_words_near on registry_words using gin (word gin_trgm_ops);
    create function registry_near_words(wanted text) returns setof text language sql stable
      set pg_trgm.similarity_threshold = 0.3 as $near$
      select known.word from registry_words as known where known.word % wanted
      order by similarity(known.word, wanted) desc, known.word limit 60
    $near$;
  else
    create function registry_near_words(wanted text) returns setof text language sql stable as $near$
      select known.word from registry_words as known
      where known.word >= left(wanted, 1) and known.word < left(wanted, 1) || chr(1114111)
        and char_length(known.word) between char_length(wanted) - 2 and char_length(wanted) + 2
      order by known.word limit 20000
    $near$;
  end if;
end
$do$;

-- What was read through from the upstream registry, kept so that it can be served again when upstream is away.
create table registry_upstream_answers (
  path text primary key check (char_length(path) between 1 and 2048),
  status smallint not null,
  etag text,
  body bytea not null,
  read_at timestamptz not null
);
create index registry_upstream_answers_by_age on registry_upstream_answers (read_at);

-- How far the upstream registry was read.
create table registry_upstream_state (
  url text primary key,
  synced_to timestamptz not null
);
