-- Roles. In a workspace: a viewer reads, a member also uses it, billing reads and sets budgets and caps, an owner does everything.
-- On the installation: an auditor reads the administration, an operator also changes it. A person is at most one of the two.
-- What must always hold: a workspace has an owner, and the keys of a person or a service account never have a role that it
-- does not include.
alter table members
  drop constraint members_role_check,
  add constraint members_role_check check (role in ('viewer', 'member', 'billing', 'owner')),
  -- Whether the groups of an identity provider gave the role. Then they also take it away.
  add column by_group boolean not null default false;
alter table api_keys
  drop constraint api_keys_role_check,
  add constraint api_keys_role_check check (role in ('viewer', 'member', 'billing', 'owner'));
alter table people
  add column is_auditor boolean not null default false,
  add constraint people_one_installation_role check (not (is_auditor and is_operator));

-- Programs with a name of their own: they have keys and a role, and cannot sign in. A removed one stays, because the audit names it.
create table service_accounts (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  role text not null check (role in ('viewer', 'member', 'billing', 'owner')),
  created_by uuid references people (id) on delete set null,
  created_at timestamptz not null,
  removed_at timestamptz
);
-- A name is free again once its account was removed.
create unique index service_accounts_live_name on service_accounts (workspace_id, lower(name)) where removed_at is null;
alter table api_keys add column service_account_id uuid references service_accounts (id) on delete set null;
create index api_keys_of_service_account on api_keys (service_account_id) where service_account_id is not null;

alter table audit_entries
  drop constraint audit_entries_actor_kind_check,
  add constraint audit_entries_actor_kind_check
    check (actor_kind in ('person', 'key', 'service_account', 'admin', 'system'));
