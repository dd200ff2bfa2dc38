-- Mail: alerts to people by e-mail. A message is written in the transaction of what it reports, and sent later by any process.
-- What must always hold: an event has at most one message per address; a message that the mail server accepted is sent and never
-- due again; one that is not waiting is not claimed.
create table mails (
  -- Also the left part of its Message-ID, on every attempt.
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  -- Whose address it is, if it is a member's. Null: the workspace named the address.
  person_id uuid,
  -- What happened, and to what: as in a webhook's delivery.
  type text not null,
  subject_id text not null,
  sequence integer not null,
  recipient text not null,
  subject text not null,
  body text not null,
  status text not null check (status in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  -- When it is sent next; while it is claimed, when the claim ends. Null once it is not waiting.
  due_at timestamptz,
  claim_id uuid,
  -- The mail server's words, or why there were none.
  last_answer text,
  created_at timestamptz not null,
  sent_at timestamptz,
  check ((status = 'waiting') = (due_at is not null)),
  check ((status = 'sent') = (sent_at is not null))
);
create unique index mails_of_event on mails (type, subject_id, sequence, lower(recipient));
create index mails_due on mails (due_at) where status = 'waiting';
create index mails_of_workspace on mails (workspace_id, created_at desc);
create index mails_of_person on mails (person_id) where person_id is not null;
create index mails_old on mails (created_at);

-- Members who do not want alerts of this workspace by e-mail.
create table mail_opt_outs (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  primary key (workspace_id, person_id)
);
create index mail_opt_outs_of_person on mail_opt_outs (person_id);

-- Addresses that get a budget's alerts besides the owners and billing people.
alter table budgets add column emails text[] not null default '{}' check (cardinality(emails) <= 10);
