// Public works in their current version, for the badge map, which everybody reads.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { CallableWork } from "../publishing/published-work.ts";

// Changes whenever one of them does.
export async function stampOfPublicWorks(db: Queryable, at: Date): Promise<string> {
  const [row] = await db.query<{ stamp: string }>(sql`
    select count(*) || ' ' || coalesce(max(updated_at)::text, '') || ' ' || count(*) filter (where sunset_at <= ${at}) as stamp
    from published_works where visibility = 'public'`);
  return row?.stamp ?? "";
}

export async function listPublicWorks(
  db: Queryable,
  page: { readonly after: string; readonly limit: number; readonly at: Date },
): Promise<CallableWork[]> {
  const rows = await db.query<RowOf<CallableWork>>(sql`
    select w.id as work_id, w.workspace_id as owner_id, w.model_id, v.version, v.graph, v.form, v.needs, w.title, w.description,
      w.deprecated_at, w.sunset_at
    from published_works w join work_versions v on v.work_id = w.id and v.version = w.version
    where w.visibility = 'public' and w.model_id > ${page.after} and (w.sunset_at is null or w.sunset_at > ${page.at})
    order by w.model_id limit ${page.limit}`);
  return rows.map(fromRow<CallableWork>);
}
