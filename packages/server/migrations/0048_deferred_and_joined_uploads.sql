-- Resumable uploads whose length comes later, and those that are put together from others (tus: creation-defer-length and
-- concatenation). Set aside from the quota is the length; of an upload that has not said it, what it has received.

-- Null: the client has not said it yet. Once it is there it never changes.
alter table asset_uploads alter column length drop not null;

-- `concat` is Upload-Concat as the client sent it: 'partial', 'final;' and the parts, or null for an upload by itself. A partial
-- upload never becomes an asset. `final_id` is the upload that took over its bytes, and what was set aside for them.
alter table asset_uploads
  add column concat text check (concat = 'partial' or concat like 'final;%'),
  add column final_id uuid references asset_uploads (id) on delete cascade,
  add constraint asset_uploads_only_partial_ones_join check (final_id is null or concat = 'partial'),
  add constraint asset_uploads_partial_ones_are_no_assets check (asset_id is null or concat is distinct from 'partial');
create index asset_uploads_by_final on asset_uploads (final_id) where final_id is not null;
