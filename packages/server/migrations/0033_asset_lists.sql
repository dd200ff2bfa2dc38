-- Lists of assets by kind, and of what was uploaded, newest first: one walk of an index each, however many other things the
-- workspace has.
create index assets_by_kind on assets (workspace_id, kind, created_at desc, id desc);
create index assets_uploaded on assets (workspace_id, created_at desc, id desc) where job_id is null;
