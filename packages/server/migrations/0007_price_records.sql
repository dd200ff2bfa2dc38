-- Price records: what a model, a partner's operation or a node class costs. A price is never changed: another price is
-- the next version, and a call keeps the id of the one it began with.

create table price_records (
  id uuid primary key,
  subject text collate "C" not null
    check (subject ~ '^(model|partner|node):.' and char_length(subject) <= 300),
  version integer not null check (version >= 1),
  -- The definition and the credits that a dollar bought then.
  price jsonb not null check (jsonb_typeof(price -> 'definition') = 'object'
    and jsonb_typeof(price -> 'credits_per_usd') = 'number'),
  created_at timestamptz(3) not null default now(),
  created_by text not null check (char_length(created_by) between 1 and 200),
  unique (subject, version)
);

create function refuse_change_of_price() returns trigger language plpgsql as $$
begin
  raise exception 'a price record never changes: add a version' using errcode = 'restrict_violation';
end
$$;
create trigger price_records_never_change before update or delete or truncate on price_records
  for each statement execute function refuse_change_of_price();
