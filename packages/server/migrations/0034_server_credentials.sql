-- Credentials of this server at providers that an operator entered while it ran, sealed. Each is bound to the hosts it was
-- entered for: a definition that points elsewhere later does not get it. The environment's own come first.

create table server_provider_credentials (
  setting text collate "C" primary key check (char_length(setting) between 1 and 200),
  provider text collate "C" not null check (char_length(provider) between 1 and 64),
  -- Sealed under the key ring.
  sealed text not null,
  hosts text[] not null check (cardinality(hosts) between 1 and 100),
  updated_at timestamptz(3) not null
);
