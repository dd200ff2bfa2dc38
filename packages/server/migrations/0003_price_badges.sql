-- Price badges: what operators wrote, and a counter by which every process notices a change.

-- Ranges over text and over versions, so that "no two rows answer the same client" can be said to PostgreSQL itself
-- with what every installation has: an exclusion constraint, and no extension.
create type price_badge_node_range as range (subtype = text, collation = "C");
create type price_badge_version_range as range (subtype = integer[]);

create table price_badge_rows (
  id uuid primary key,
  node_id text not null check (char_length(node_id) between 1 and 256),
  platforms text[] not null
    check (platforms in (array['cloud'], array['local'], array['cloud', 'local'])),
  -- major, minor, patch; arrays compare element by element.
  from_version integer[] not null
    check (cardinality(from_version) = 3 and 0 <= all (from_version) and 999999999 >= all (from_version)),
  until_version integer[]
    check (cardinality(until_version) = 3 and 999999999 >= all (until_version) and until_version > from_version),
  -- Canonical JSON, byte for byte as it is served.
  badge text not null check (octet_length(badge) <= 131072),
  ended boolean not null default false,
  price_record text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint price_badge_rows_never_overlap exclude using gist (
    price_badge_node_range(node_id, node_id, '[]') with &&,
    -- cloud is [1,2), local is [2,3), both are [1,3)
    int4range(case when 'cloud' = any (platforms) then 1 else 2 end,
      case when 'local' = any (platforms) then 3 else 2 end) with &&,
    price_badge_version_range(from_version, until_version, '[)') with &&
  ) where (not ended)
);
create index price_badge_rows_in_order on price_badge_rows (node_id collate "C", from_version, id);

-- At most one row, made by the first write. Writers take it first, so they follow one another.
create table price_badge_revision (
  singleton boolean primary key default true check (singleton),
  revision bigint not null
);
