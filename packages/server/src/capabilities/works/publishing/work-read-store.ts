// Reads of works that callers need: one work by its model id, and the catalog. A workspace can call its own works, those that
// were shared with it, and public ones; each of the three has its own index, so the catalog costs the same with any number of
// works.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { type CallableWork, readWorkReference } from "./published-work.ts";

export interface CallableKey {
  readonly workspaceId: WorkspaceId;
  // With or without a version.
  readonly modelId: string;
  // A work is gone from its sunset on.
  readonly at: Date;
}

export async function findCallable(db: Queryable, key: CallableKey): Promise<CallableWork | null> {
  const reference = readWorkReference(key.modelId);
  if (reference === null) return null;
  const { workspaceId, at } = key;
  const [row] = await db.query<RowOf<CallableWork>>(sql`
    select w.id as work_id, w.workspace_id as owner_id, w.model_id, v.version, v.graph, v.form, v.needs, w.title, w.description,
      w.deprecated_at, w.sunset_at
    from published_works w join work_versions v on v.work_id = w.id and v.version = coalesce(${reference.version}::int, w.version)
    where w.model_id = ${reference.modelId} and (w.sunset_at is null or w.sunset_at > ${at})
      and (w.workspace_id = ${workspaceId} or w.visibility = 'public' or exists (
        select from work_shares s where s.workspace_id = ${workspaceId} and s.model_id = w.model_id))`);
  return row ? fromRow<CallableWork>(row) : null;
}

// JSON text, with exact digits.
export async function findExamples(
  db: Queryable,
  { ownerId, workId, version }: Pick<CallableWork, "ownerId" | "workId" | "version">,
): Promise<string> {
  const [row] = await db.query<{ examples: string }>(sql`
    select v.examples::text as examples from work_versions v
    where v.work_id = ${workId} and v.workspace_id = ${ownerId} and v.version = ${version}`);
  return row?.examples ?? "[]";
}

export interface ListedWork {
  readonly modelId: string;
  readonly title: string | null;
}

export interface WantedPage {
  readonly workspaceId: WorkspaceId;
  // Only ids and titles that contain it, in any case; all if it is null or absent.
  readonly text?: string | null;
  // The last model id of the page before; null for the first page.
  readonly after: string | null;
  readonly limit: number;
}

// In the order of their bytes.
export async function listCallable(db: Queryable, page: WantedPage & { readonly at: Date }): Promise<ListedWork[]> {
  const { workspaceId, after, limit, at } = page;
  const start = after ?? "";
  const found = page.text?.toLowerCase() ?? "";
  const matching =
    found === "" ? sql`` : sql`and (strpos(w.model_id, ${found}) > 0 or strpos(lower(w.title), ${found}) > 0)`;
  const rows = await db.query<RowOf<ListedWork>>(sql`
    select distinct on (model_id) model_id, title from (
      (select w.model_id, w.title from published_works w
        where w.workspace_id = ${workspaceId} and w.model_id > ${start} and (w.sunset_at is null or w.sunset_at > ${at}) ${matching}
        order by w.model_id limit ${limit})
      union all
      (select w.model_id, w.title from published_works w
        where w.visibility = 'public' and w.model_id > ${start} and (w.sunset_at is null or w.sunset_at > ${at}) ${matching}
        order by w.model_id limit ${limit})
      union all
      (select w.model_id, w.title from work_shares s join published_works w on w.model_id = s.model_id
        where s.workspace_id = ${workspaceId} and s.model_id > ${start} and (w.sunset_at is null or w.sunset_at > ${at}) ${matching}
        order by s.model_id limit ${limit})) as callable
    order by model_id limit ${limit}`);
  return rows.map(fromRow<ListedWork>);
}

// The newest version that was published from a saved workflow.
export async function lastPublished(
  db: Queryable,
  workspaceId: WorkspaceId,
  workflowId: string,
): Promise<Pick<CallableWork, "form" | "graph"> | null> {
  const [row] = await db.query<{ form: string; graph: Buffer }>(sql`
    select v.form, v.graph from work_versions v where v.workflow_id = ${workflowId} and v.workspace_id = ${workspaceId}
    order by v.created_at desc, v.version desc limit 1`);
  return row ?? null;
}
