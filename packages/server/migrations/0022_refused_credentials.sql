-- Credentials of this server that a provider or partner did not accept, for whoever operates it: which setting, with what
-- status and words, and when last. One row for each; nothing of the credential itself.
create table refused_credentials (
  holder text not null check (char_length(holder) between 1 and 200),
  setting text not null check (char_length(setting) between 1 and 200),
  status integer not null,
  -- The provider's own, cleared of what we sent.
  words text check (char_length(words) <= 500),
  times bigint not null check (times >= 1),
  first_at timestamptz(3) not null default now(),
  last_at timestamptz(3) not null default now(),
  primary key (holder, setting)
);
