-- Erasing a person. Their row stays, without name, address and subject at the issuer: its id is the pseudonym under which the books
-- and the audit go on. What must always hold: an erased person has no session, no link, no membership and no key.
alter table people add column erased_at timestamptz;

-- The audit stays append-only. One more way in: erase_person_from_audit below replaces the person's name and address where entries
-- hold them, inside its own transaction. What happened, when, to what, and by whom (the id) cannot change.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
declare
  forget_before text := current_setting('atelier.forget_audit_before', true);
begin
  if tg_op = 'DELETE' and forget_before <> '' then
    if old.at < forget_before::timestamptz and old.at < clock_timestamp() - interval '30 days' then
      return old;
    end if;
  end if;
  if tg_op = 'UPDATE' and current_setting('atelier.erase_person', true) <> '' then
    if (new.id, new.at, new.actor_kind, new.actor_id, new.action, new.subject_kind, new.subject_id, new.workspace_id, new.request_id)
      is not distinct from
      (old.id, old.at, old.actor_kind, old.actor_id, old.action, old.subject_kind, old.subject_id, old.workspace_id, old.request_id)
      and (new.actor_name is not distinct from old.actor_name or new.actor_name = 'erased person')
    then
      return new;
    end if;
  end if;
  raise exception 'audit_entries is append-only: % refused', lower(tg_op) using errcode = 'restrict_violation';
end
$$;

-- Replaces the name, where it is not part of another word, in entries by or about the person and the keys they made, and the address
-- wherever it occurs. Says how many entries changed.
create function erase_person_from_audit(person uuid, keys uuid[], name text, email text) returns integer language plpgsql as $$
declare
  changed integer;
  ids text[] := array_append(keys::text[], person::text);
  -- As the name is written in JSON, without the quotes around it, and with what means something in a pattern escaped.
  written text := regexp_replace(substr(to_json(name)::text, 2, length(to_json(name)::text) - 2), '([^\w\s])', '\\\1', 'g');
  pattern text := '(?<!\w)' || written || '(?!\w)';
  address text := coalesce(email, chr(1));
begin
  perform set_config('atelier.erase_person', person::text, true);
  update audit_entries set
    actor_name = case when actor_kind = 'person' and actor_id = person::text and actor_name is not null
      then 'erased person' else actor_name end,
    before = regexp_replace(replace(before::text, address, 'erased address'), pattern, 'erased person', 'g')::jsonb,
    after = regexp_replace(replace(after::text, address, 'erased address'), pattern, 'erased person', 'g')::jsonb
  where actor_id = any (ids) or subject_id = any (ids)
    or (email is not null and (strpos(before::text, email) > 0 or strpos(after::text, email) > 0));
  get diagnostics changed = row_count;
  perform set_config('atelier.erase_person', '', true);
  return changed;
end
$$;

-- A definition of a provider never changes, so it must not hold anyone's name: the audit knows who wrote which.
alter table provider_definitions disable trigger provider_definitions_never_change;
update provider_definitions set created_by = 'person' where created_by like 'person %';
alter table provider_definitions enable trigger provider_definitions_never_change;
