// Reads of saved workflows and their versions. A list walks the newest first; with words it asks the index of words.
import { fromRow, joinSql, type Queryable, type RowOf, type Statement, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type {
  SavedWorkflow,
  WorkflowDocument,
  WorkflowLocator,
  WorkflowPosition,
  WorkflowVersion,
} from "./saved-workflow.ts";

export interface WorkflowFilter {
  readonly workspaceId: WorkspaceId;
  // Each must match: beginnings of words, and exact ones.
  readonly beginnings: readonly string[];
  readonly exact: readonly string[];
  readonly folder: string | null;
  readonly isArchived: boolean;
  readonly before: WorkflowPosition | null;
  readonly count: number;
}

export async function listWorkflows(db: Queryable, filter: WorkflowFilter): Promise<SavedWorkflow[]> {
  const { workspaceId, folder, before, isArchived } = filter;
  const query = wordQuery(filter);
  const conditions: Statement[] = [
    sql`w.workspace_id = ${workspaceId}`,
    isArchived ? sql`w.archived_at is not null` : sql`w.archived_at is null`,
    ...(query === "" ? [] : [sql`w.words @@ ${query}::tsquery`]),
    ...(folder === null ? [] : [sql`(w.folder = ${folder} or starts_with(w.folder, ${`${folder}/`}))`]),
    ...(before === null ? [] : [sql`(w.updated_at, w.id) < (${before.updatedAt}, ${before.id})`]),
  ];
  const rows = await db.query<RowOf<SavedWorkflow>>(sql`
    select ${columns} from (
      select * from saved_workflows w where ${joinSql(conditions, sql` and `)}
      order by w.updated_at desc, w.id desc limit ${filter.count}) as w
    ${latest} order by w.updated_at desc, w.id desc`);
  return rows.map(fromRow<SavedWorkflow>);
}

export async function findWorkflow(db: Queryable, { workspaceId, id }: WorkflowLocator): Promise<SavedWorkflow | null> {
  const [row] = await db.query<RowOf<SavedWorkflow>>(sql`
    select ${columns} from saved_workflows w ${latest} where w.id = ${id} and w.workspace_id = ${workspaceId}`);
  return row ? fromRow<SavedWorkflow>(row) : null;
}

export async function findNamedWorkflow(
  db: Queryable,
  { workspaceId, folder, name }: Pick<SavedWorkflow, "workspaceId" | "folder" | "name">,
): Promise<SavedWorkflow | null> {
  const [row] = await db.query<RowOf<SavedWorkflow>>(sql`
    select ${columns} from saved_workflows w ${latest}
    where w.workspace_id = ${workspaceId} and w.folder = ${folder} and w.name = ${name} and w.archived_at is null`);
  return row ? fromRow<SavedWorkflow>(row) : null;
}

// Locks it against other changes until the transaction ends.
export async function lockWorkflow(tx: Queryable, locator: WorkflowLocator): Promise<SavedWorkflow | null> {
  await tx.execute(sql`
    select from saved_workflows where id = ${locator.id} and workspace_id = ${locator.workspaceId} for update`);
  return findWorkflow(tx, locator);
}

export async function findDocumentWords(db: Queryable, { workspaceId, id }: WorkflowLocator): Promise<string[]> {
  const [row] = await db.query<{ document_words: string[] }>(sql`
    select document_words from saved_workflows where id = ${id} and workspace_id = ${workspaceId}`);
  return row?.document_words ?? [];
}

// Those of the workflows that still exist.
export async function findExisting(
  db: Queryable,
  workspaceId: WorkspaceId,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select id from saved_workflows where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`);
  return new Set(rows.map(({ id }) => id));
}

export async function countWorkflows(db: Queryable, workspaceId: WorkspaceId, bound: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select from saved_workflows where workspace_id = ${workspaceId} limit ${bound}) as found`);
  return row?.count ?? 0;
}

export async function listVersions(
  db: Queryable,
  { workspaceId, id }: WorkflowLocator,
  { before, count }: { readonly before: number | null; readonly count: number },
): Promise<WorkflowVersion[]> {
  const rows = await db.query<RowOf<WorkflowVersion>>(sql`
    select ${versionColumns} from saved_workflow_versions v
    where v.workflow_id = ${id} and v.workspace_id = ${workspaceId}
      ${before === null ? sql`` : sql`and v.version < ${before}`}
    order by v.version desc limit ${count}`);
  return rows.map(fromRow<WorkflowVersion>);
}

export async function findDocument(
  db: Queryable,
  { workspaceId, id }: WorkflowLocator,
  version: number,
): Promise<WorkflowDocument | null> {
  const [row] = await db.query<RowOf<WorkflowDocument>>(sql`
    select version, format, document, sha256 from saved_workflow_versions
    where workflow_id = ${id} and workspace_id = ${workspaceId} and version = ${version}`);
  return row ? fromRow<WorkflowDocument>(row) : null;
}

const versionColumns = sql`v.version, v.format, v.nodes, octet_length(v.document) as bytes, v.sha256, v.note, v.restored_from,
  v.created_at, v.created_by_kind, v.created_by_id`;
const columns = sql`w.id, w.workspace_id, w.name, w.folder, w.tags, w.version, w.revision, w.archived_at, w.created_at,
  w.updated_at, v.format, v.nodes, octet_length(v.document) as bytes`;
const latest = sql`join saved_workflow_versions v on v.workflow_id = w.id and v.version = w.version`;

// The words contain only letters and digits; classes and tags may contain anything.
function wordQuery({ beginnings, exact }: Pick<WorkflowFilter, "beginnings" | "exact">): string {
  const quoted = (word: string) => `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
  return [...beginnings.map((word) => `${quoted(word)}:*`), ...exact.map(quoted)].join(" & ");
}
