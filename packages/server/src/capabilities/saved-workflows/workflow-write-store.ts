// Changes of saved workflows. Every change locks the workflow's row first, so versions have no gaps and an expected revision is
// compared with what is really stored.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { WorkflowLocator, WorkflowVersion } from "./saved-workflow.ts";

export interface NewVersion extends Omit<WorkflowVersion, "version" | "bytes" | "createdAt"> {
  readonly document: Buffer;
  readonly at: Date;
}

export interface WorkflowFields {
  readonly name: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly archivedAt: Date | null;
  // Of the latest version.
  readonly documentWords: readonly string[];
  // Those and the words of the fields above.
  readonly words: readonly string[];
}

export async function insertWorkflow(
  tx: Queryable,
  workflow: WorkflowLocator & Omit<WorkflowFields, "archivedAt"> & { readonly at: Date },
): Promise<void> {
  const { id, workspaceId, name, folder, tags, documentWords, words, at } = workflow;
  await tx.execute(sql`
    insert into saved_workflows (id, workspace_id, name, folder, tags, version, revision, created_at, updated_at,
      document_words, words)
    values (${id}, ${workspaceId}, ${name}, ${folder}, ${tags}::text[], 1, 1, ${at}, ${at},
      ${documentWords}::text[], array_to_tsvector(${words}::text[]))`);
}

export async function insertVersion(
  tx: Queryable,
  { workspaceId, id }: WorkflowLocator,
  version: number,
  given: NewVersion,
): Promise<void> {
  await tx.execute(sql`
    insert into saved_workflow_versions (workflow_id, version, workspace_id, format, document, sha256, nodes, note,
      restored_from, created_at, created_by_kind, created_by_id)
    values (${id}, ${version}, ${workspaceId}, ${given.format}, ${given.document}, ${given.sha256}, ${given.nodes},
      ${given.note}, ${given.restoredFrom}, ${given.at}, ${given.createdByKind}, ${given.createdById})`);
}

export async function replaceWorkflow(
  tx: Queryable,
  { workspaceId, id }: WorkflowLocator,
  changed: WorkflowFields & { readonly version: number; readonly at: Date },
): Promise<void> {
  const { name, folder, tags, archivedAt, documentWords, words, version, at } = changed;
  await tx.execute(sql`
    update saved_workflows set name = ${name}, folder = ${folder}, tags = ${tags}::text[], archived_at = ${archivedAt},
      version = ${version}, revision = revision + 1, updated_at = ${at}, document_words = ${documentWords}::text[],
      words = array_to_tsvector(${words}::text[])
    where id = ${id} and workspace_id = ${workspaceId}`);
}

export async function deleteWorkflow(tx: Queryable, { workspaceId, id }: WorkflowLocator): Promise<void> {
  await tx.execute(sql`delete from saved_workflows where id = ${id} and workspace_id = ${workspaceId}`);
}
