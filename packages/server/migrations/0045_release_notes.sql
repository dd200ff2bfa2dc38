-- Dated notes of what this server offers: models, partner tools and badges as they come, change, are deprecated and go. The
-- notes are never changed. What was seen last is kept beside them, so that a change is noted once by whichever process sees it.

create table release_notes (
  id uuid primary key,
  noted_at timestamptz(3) not null,
  kind text not null check (kind in ('model', 'partner_tool', 'badge')),
  subject text not null check (char_length(subject) between 1 and 300),
  change text not null check (change in ('added', 'changed', 'deprecated', 'removed')),
  deprecated_at timestamptz(3),
  sunset_at timestamptz(3)
);
create index release_notes_newest on release_notes (noted_at desc, id desc);

create table release_note_subjects (
  kind text not null,
  subject text collate "C" not null,
  state text not null,
  -- Another process may be of another version and not know it: it is gone when nobody has seen it for a while.
  seen_at timestamptz(3) not null,
  primary key (kind, subject)
);

-- Versions of nodes have dates beside the flag.
alter table node_versions add column deprecated_at timestamptz, add column sunset_at timestamptz;
update node_versions set deprecated_at = changed_at where deprecated;
create index node_version_moves_newest on node_version_moves (moved_at desc, id desc);
create index node_versions_deprecated on node_versions (deprecated_at desc) where deprecated_at is not null;
