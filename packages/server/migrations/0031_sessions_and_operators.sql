-- People can run the installation: beside admin tokens, an identity token of a person who is an operator opens the admin
-- side. The first person of an installation is one; all others are made one by an operator.
alter table people add column is_operator boolean not null default false;
update people set is_operator = true where id = (select person_id from installation);

-- What the person is shown of a session, so that they know which browser they end.
alter table sessions
  add column signed_in_by text not null default 'link' check (signed_in_by in ('link', 'oidc')),
  add column user_agent text check (char_length(user_agent) <= 400),
  add column address text check (char_length(address) <= 64);
