// A stock of works and saved workflows, written straight into the tables.
import { type Database, sql } from "../packages/server/src/foundation/database/index.ts";

// Copies of a published work, private to its workspace.
export async function multiplyWorks(database: Database, count: number): Promise<void> {
  await database.execute(sql`
    with source as (select * from published_works order by created_at limit 1), made as (
      insert into published_works (id, workspace_id, model_id, name, title, description, visibility, version, versions, revision, cover,
        deprecated_at, sunset_at, created_at, updated_at)
      select gen_random_uuid(), workspace_id, split_part(model_id, '/', 1) || '/copy-' || n, 'copy-' || n, title, description,
        'private', 1, 1, 1, null, null, null, created_at, updated_at
      from source, generate_series(1, ${count}::int) n returning id, workspace_id
    )
    insert into work_versions (work_id, version, workspace_id, workflow_id, workflow_version, graph, form, needs, examples,
      fingerprint, note, created_at, created_by_kind, created_by_id)
    select made.id, 1, made.workspace_id, v.workflow_id, v.workflow_version, v.graph, v.form, v.needs, '[]'::jsonb, v.fingerprint,
      null, v.created_at, v.created_by_kind, v.created_by_id
    from made, (select v.* from work_versions v join source on source.id = v.work_id and v.version = 1) v`);
  await database.execute(sql`analyze published_works`);
}

export async function multiplySaved(database: Database, count: number): Promise<void> {
  await database.execute(sql`
    with source as (select * from saved_workflows order by created_at limit 1), made as (
      insert into saved_workflows (id, workspace_id, name, folder, tags, version, revision, archived_at, created_at, updated_at,
        document_words, words)
      select gen_random_uuid(), workspace_id, 'copy ' || n, '', tags, 1, 1, null, created_at, created_at - n * interval '1 second',
        document_words, words
      from source, generate_series(1, ${count}::int) n returning id, workspace_id
    )
    insert into saved_workflow_versions (workflow_id, version, workspace_id, format, document, sha256, nodes, note, restored_from,
      created_at, created_by_kind, created_by_id)
    select made.id, 1, made.workspace_id, v.format, v.document, v.sha256, v.nodes, null, null, v.created_at, v.created_by_kind,
      v.created_by_id
    from made, (select v.* from saved_workflow_versions v join source on source.id = v.workflow_id and v.version = 1) v`);
  await database.execute(sql`analyze saved_workflows`);
}

export async function removeCopies(database: Database): Promise<void> {
  await database.execute(sql`delete from published_works where name like 'copy-%'`);
  await database.execute(sql`delete from saved_workflows where name like 'copy %'`);
}
