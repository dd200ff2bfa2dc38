-- The readme of a node version, taken from its archive by the checks, and the publisher's appeal against a verdict.
-- An appeal waits while appealed_at is set; an operator's decision ends it, and the history keeps both.
alter table node_versions
  add column readme_file text,
  add column readme text,
  add column readme_is_cut boolean not null default false,
  add column appeal text,
  add column appealed_at timestamptz,
  add constraint node_versions_readme_check check ((readme is null) = (readme_file is null)),
  add constraint node_versions_appeal_check check ((appeal is null) = (appealed_at is null));

create index node_versions_appealed on node_versions (appealed_at) where appealed_at is not null;
