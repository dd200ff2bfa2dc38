-- Whether a member wants to be one. Somebody who is put into a workspace by their id was not asked: until they choose that
-- workspace themselves, its people see their name and role and not their e-mail address. Whoever is a member by now stays
-- as visible as before.
alter table members add column accepted_at timestamptz;
update members set accepted_at = created_at;
