import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { JobId } from "./job.ts";
import { isShown } from "./job-store.ts";

interface Submitted {
  readonly graph: Buffer;
  readonly pngInfo: string | null;
}

export async function findSubmitted(
  db: Queryable,
  { workspaceId, jobId }: { readonly workspaceId: WorkspaceId; readonly jobId: JobId },
): Promise<Submitted | null> {
  const [row] = await db.query<RowOf<Submitted>>(sql`
    select g.submitted as graph, g.png_info from jobs j join job_graphs g on g.job_id = j.id
    where j.id = ${jobId} and j.workspace_id = ${workspaceId} and ${isShown}`);
  return row ? fromRow<Submitted>(row) : null;
}

interface LabelledRun {
  readonly label: string;
  readonly jobId: JobId;
  readonly finishedAt: Date;
  readonly picture: string | null;
}

// One probe of the index for each label.
export async function findLatestRuns(
  db: Queryable,
  workspaceId: WorkspaceId,
  labels: readonly string[],
): Promise<LabelledRun[]> {
  const rows = await db.query<RowOf<LabelledRun>>(sql`
    select given.label, run.id as job_id, run.finished_at, (
        select o.asset_id from job_outputs o where o.job_id = run.id and o.content_type like 'image/%'
        order by o.node_id, o.index limit 1) as picture
    from unnest(${labels}::uuid[]) as given (label) cross join lateral (
      select j.id, j.finished_at from job_labels l join jobs j on j.id = l.job_id
      where l.label = given.label and j.workspace_id = ${workspaceId} and j.state = 'succeeded' and ${isShown}
      order by l.job_id desc limit 1) as run`);
  return rows.map(fromRow<LabelledRun>);
}
