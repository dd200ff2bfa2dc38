-- Whose account a provider or partner did not accept when it was asked for this, with its status and words, and who can
-- mend that: {"holder", "status", "words", "mender"}. Nothing of the credential, and not the name of its setting: the
-- workspace reads this row.
alter table usage add column refused_account jsonb;

comment on table refused_credentials is 'not in backups: what became of this server''s credentials in the last days';
