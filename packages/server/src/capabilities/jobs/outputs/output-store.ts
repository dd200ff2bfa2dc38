// Outputs of attempts. The caller holds the job's lock.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import type { AssetId } from "../../assets/index.ts";
import type { JobId, JobOutput } from "../job.ts";

export interface OutputLocator {
  readonly jobId: JobId;
  readonly attempt: number;
  readonly nodeId: string;
  readonly index: number;
}

export async function findOutput(db: Queryable, locator: OutputLocator): Promise<JobOutput | null> {
  const [row] = await db.query<OutputRow>(sql`
    select asset_id, node_id, name, kind, content_type, size, encode(hash, 'hex') as hash, folder, version from job_outputs
    where job_id = ${locator.jobId} and attempt = ${locator.attempt} and node_id = ${locator.nodeId} and index = ${locator.index}`);
  return row ? toOutput(row) : null;
}

// The output gets the version that the job has from now on.
export async function insertOutput(
  tx: Queryable,
  locator: OutputLocator,
  output: Omit<JobOutput, "version">,
): Promise<JobOutput> {
  const [row] = await tx.query<{ version: number }>(sql`
    with job as (
      update jobs set version = version + 1 where id = ${locator.jobId} returning id, workspace_id, version
    ), delivery as (
      insert into output_deliveries (id, job_id, workspace_id, asset_id, name)
      select ${newId()}::uuid, job.id, job.workspace_id, ${output.assetId}::uuid, ${output.name}::text
      from job join job_targets t on t.job_id = job.id
      where ${output.folder}::text = 'output'
    )
    insert into job_outputs (job_id, attempt, node_id, index, asset_id, name, kind, content_type, size, hash, folder, version)
    select ${locator.jobId}::uuid, ${locator.attempt}::int, ${locator.nodeId}::text, ${locator.index}::int, ${output.assetId}::uuid,
      ${output.name}::text, ${output.kind}::text, ${output.contentType}::text, ${output.sizeBytes}::bigint,
      decode(${output.hash}::text, 'hex'), ${output.folder}::text, version
    from job returning version`);
  if (!row) throw new Error("a locked job is there");
  return { ...output, version: row.version };
}

// False if the job has no such output, or is gone.
export async function deleteOutput(tx: Queryable, jobId: JobId, assetId: AssetId): Promise<boolean> {
  const rows = await tx.query(sql`
    with gone as (
      delete from job_outputs where job_id = ${jobId} and asset_id = ${assetId} returning job_id
    )
    update jobs set version = version + 1 where id in (select job_id from gone) returning id`);
  return rows.length > 0;
}

interface OutputRow extends RowOf<Omit<JobOutput, "sizeBytes">> {
  readonly size: string;
}

function toOutput({ size, ...row }: OutputRow): JobOutput {
  return { ...fromRow<Omit<JobOutput, "sizeBytes">>(row), sizeBytes: Number(size) };
}
