-- Derived tokens: short-lived credentials made from a key, a session or another token. They are rows of api_keys, so that
-- everything that knows a caller by its key id (calls, jobs, usage, caps) knows them too.
-- What must always hold: a token has an end; it has ancestors, the root key first (none if a session made it); it ends no later
-- than each of them; its restrictions are those of its parent or narrower. A token whose ancestor was revoked is no longer valid,
-- whatever its own row says.
alter table api_keys
  add column ancestors uuid[],
  add column session_id uuid,
  add column restrictions jsonb,
  add column origins text[] collate "C",
  add constraint api_keys_derived check ((ancestors is null) = (restrictions is null)),
  add constraint api_keys_derived_end
    check (ancestors is null or (expires_at is not null and expires_at <= created_at + interval '24 hours'));

create index api_keys_derived_of_workspace on api_keys (workspace_id, id desc) where ancestors is not null;
create index api_keys_derived_by_end on api_keys (expires_at) where ancestors is not null;
create index api_keys_derived_origins on api_keys using gin (origins) where origins is not null;

-- A call counts against every credential in its caller's chain that has a cap, and every token has one.
alter table api_key_caps
  add column ancestors uuid[] not null default '{}',
  add column is_token boolean not null default false;
create index api_key_caps_of_ancestor on api_key_caps using gin (ancestors) where ancestors <> '{}';
alter table api_key_calls drop constraint api_key_calls_pkey;
alter table api_key_calls add primary key (call_id, api_key_id);
