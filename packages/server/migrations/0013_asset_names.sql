-- Graphs name uploads by the path they were given: of equal names the newest. Outputs of jobs are not found this way.
create index assets_by_name on assets (workspace_id, file_path, created_at desc, id desc)
  where job_id is null and file_path is not null;
