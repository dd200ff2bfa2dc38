-- When a person signed in for the first time. An owner may make a new sign-in link for a member who never did: the first one
-- got lost or ran out. For everybody else such a link would be a way into their account, so whoever is here by now counts
-- as having signed in.
alter table people add column first_signed_in_at timestamptz;
update people set first_signed_in_at = created_at;
