// What a page of the catalog says about its works, for callers who choose among them.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { CallableWork } from "./published-work.ts";

export interface WorkDescription {
  readonly modelId: string;
  readonly title: string | null;
  readonly description: string | null;
  // Only if the asset is the workspace's own.
  readonly cover: string | null;
  // Of the current version, as JSON text. Null if it is too long for a list.
  readonly form: string | null;
}

// Choices can make a form megabytes long, and a page has a hundred.
const formBytesMax = 64 * 1024;

// In the order of their bytes. Works that the workspace may not call are left out.
export async function readDescriptions(
  db: Queryable,
  workspaceId: WorkspaceId,
  modelIds: readonly string[],
): Promise<WorkDescription[]> {
  const rows = await db.query<RowOf<WorkDescription>>(sql`
    select w.model_id, w.title, w.description, case when w.workspace_id = ${workspaceId} then w.cover end as cover,
      case when octet_length(v.form) <= ${formBytesMax} then v.form end as form
    from published_works w join work_versions v on v.work_id = w.id and v.version = w.version
    where w.model_id = any (${modelIds}::text[]) and (w.workspace_id = ${workspaceId} or w.visibility = 'public' or exists (
      select from work_shares s where s.workspace_id = ${workspaceId} and s.model_id = w.model_id))
    order by w.model_id`);
  return rows.map(fromRow<WorkDescription>);
}

const graphBytesMax = 256 * 1024;

// Those of the works that the workspace may call, in their current version. Very large ones are left out.
export async function readCallable(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly modelIds: readonly string[]; readonly at: Date },
): Promise<CallableWork[]> {
  const { workspaceId, modelIds, at } = wanted;
  const rows = await db.query<RowOf<CallableWork>>(sql`
    select w.id as work_id, w.workspace_id as owner_id, w.model_id, v.version, v.graph, v.form, v.needs, w.title, w.description,
      w.deprecated_at, w.sunset_at
    from published_works w join work_versions v on v.work_id = w.id and v.version = w.version
    where w.model_id = any (${modelIds}::text[]) and (w.sunset_at is null or w.sunset_at > ${at})
      and octet_length(v.graph) <= ${graphBytesMax} and octet_length(v.form) <= ${formBytesMax}
      and (w.workspace_id = ${workspaceId} or w.visibility = 'public' or exists (
        select from work_shares s where s.workspace_id = ${workspaceId} and s.model_id = w.model_id))
    order by w.model_id`);
  return rows.map(fromRow<CallableWork>);
}
