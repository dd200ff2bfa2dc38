// Deployments in the database. They are few, are read by id or all together, and change only by operators.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { Deployment, DeploymentId, DeploymentInput } from "./deployment.ts";

type DeploymentRow = RowOf<Deployment>;

const columns = sql`id, name, environment, workers_min, workers_max, jobs_per_worker, workspace_id, scale_webhook_url,
  stopped_at, asked_at, workers_wanted, created_at, updated_at`;

export async function insertDeployment(
  db: Queryable,
  input: DeploymentInput & { readonly id: DeploymentId; readonly at: Date },
): Promise<Deployment> {
  const [row] = await db.query<DeploymentRow>(sql`
    insert into deployments (id, name, environment, workers_min, workers_max, jobs_per_worker, workspace_id,
      scale_webhook_url, created_at, updated_at)
    values (${input.id}, ${input.name}, ${JSON.stringify(input.environment)}::jsonb, ${input.workersMin},
      ${input.workersMax}, ${input.jobsPerWorker}, ${input.workspaceId}, ${input.scaleWebhookUrl}, ${input.at}, ${input.at})
    returning ${columns}`);
  if (row === undefined) throw new Error("an inserted deployment was not returned");
  return toDeployment(row);
}

export async function findDeployment(db: Queryable, id: DeploymentId): Promise<Deployment | null> {
  const [row] = await db.query<DeploymentRow>(sql`select ${columns} from deployments where id = ${id}`);
  return row === undefined ? null : toDeployment(row);
}

export async function lockDeployment(tx: Queryable, id: DeploymentId): Promise<Deployment | null> {
  const [row] = await tx.query<DeploymentRow>(sql`select ${columns} from deployments where id = ${id} for update`);
  return row === undefined ? null : toDeployment(row);
}

// By id, which is oldest first.
export async function findDeployments(
  db: Queryable,
  page: { readonly after: DeploymentId | null; readonly count: number },
): Promise<Deployment[]> {
  const rows = await db.query<DeploymentRow>(sql`
    select ${columns} from deployments
    where ${page.after}::uuid is null or id > ${page.after}
    order by id limit ${page.count}`);
  return rows.map(toDeployment);
}

export async function replaceDeployment(
  db: Queryable,
  id: DeploymentId,
  to: DeploymentInput & { readonly stoppedAt: Date | null; readonly at: Date },
): Promise<Deployment> {
  const [row] = await db.query<DeploymentRow>(sql`
    update deployments set name = ${to.name}, environment = ${JSON.stringify(to.environment)}::jsonb,
      workers_min = ${to.workersMin}, workers_max = ${to.workersMax}, jobs_per_worker = ${to.jobsPerWorker},
      workspace_id = ${to.workspaceId}, scale_webhook_url = ${to.scaleWebhookUrl}, stopped_at = ${to.stoppedAt},
      updated_at = ${to.at}
    where id = ${id} returning ${columns}`);
  if (row === undefined) throw new Error("a locked deployment is gone");
  return toDeployment(row);
}

export async function removeDeployment(db: Queryable, id: DeploymentId): Promise<void> {
  await db.execute(sql`delete from deployments where id = ${id}`);
}

export async function markAsked(db: Queryable, id: DeploymentId, at: Date): Promise<void> {
  await db.execute(sql`
    update deployments set asked_at = ${at} where id = ${id} and (asked_at is null or asked_at < ${at})`);
}

// The sequence of this change. Null if another process has already sent the same number.
export async function changeWanted(db: Queryable, id: DeploymentId, wanted: number): Promise<number | null> {
  const [row] = await db.query<{ sequence: number }>(sql`
    update deployments set workers_wanted = ${wanted}, sequence = sequence + 1
    where id = ${id} and workers_wanted <> ${wanted} returning sequence`);
  return row?.sequence ?? null;
}

const toDeployment = fromRow<Deployment>;
