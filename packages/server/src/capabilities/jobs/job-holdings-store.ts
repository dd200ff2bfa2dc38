// A workspace's jobs, for export and deletion.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import { countOldFiles, expireFiles, findOldFiles, releaseHeld } from "../assets/shared-sql.ts";
import { outputHolder } from "./changes/change-jobs.ts";

export const jobHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "jobs",
      rows: (id, after, count) => sql`
        select j.id::text as position, j.id, j.state, j.priority, j.metadata, j.metadata_map, j.webhook_url, j.created_at, j.started_at,
          j.finished_at, j.expires_at, j.problem, convert_from(coalesce(g.executed, g.submitted), 'UTF8') as graph
        from jobs j left join job_graphs g on g.job_id = j.id
        where j.workspace_id = ${id} and j.id::text > ${after} order by j.id::text limit ${count}`,
    },
  ],
  aged: [
    {
      kind: "outputs",
      name: "outputs",
      count: (db, { workspaceId, before }) => countOldFiles(db, { ...oldOutputs, workspaceId, before }),
      remove: removeOldOutputs,
    },
    {
      kind: "history",
      name: "jobs",
      async count(db, { workspaceId, before }) {
        const [row] = await db.query<{ things: number }>(sql`
          select count(*)::int as things from jobs
          where workspace_id = ${workspaceId} and finished_at < ${before} and due_at > clock_timestamp()`);
        return { things: row?.things ?? 0, bytes: 0 };
      },
      // Makes them due: the sweeper removes them with everything attached.
      remove: (tx, { workspaceId, before, count }) =>
        tx.execute(sql`
          update jobs set expires_at = least(expires_at, clock_timestamp()), due_at = clock_timestamp()
          where id in (
            select id from jobs
            where workspace_id = ${workspaceId} and finished_at < ${before} and due_at > clock_timestamp()
            order by id limit ${count} for update skip locked)`),
    },
  ],
  async countOpen(db, id) {
    const [row] = await db.query<{ jobs: number }>(sql`
      select count(*)::int as jobs from jobs where workspace_id = ${id} and finished_at is null`);
    return { "job(s)": row?.jobs ?? 0 };
  },
  // Makes them due: the sweeper removes them with everything attached.
  async release(tx, id, now) {
    const jobs = await tx.execute(sql`
      update jobs set expires_at = least(expires_at, ${now}), due_at = ${now}, webhook_url = null, metadata = null,
        metadata_map = null
      where workspace_id = ${id}`);
    await tx.execute(sql`delete from job_pauses where workspace_id = ${id}`);
    return { jobs };
  },
};

const oldOutputs = { source: "output", besides: outputHolder } as const;

// They leave their jobs and the files in one transaction, so that no job shows an output that does not exist. Outputs of jobs that
// have not ended, or that another process works on, stay for the next round.
async function removeOldOutputs(
  tx: Queryable,
  { workspaceId, before, now, count }: { workspaceId: WorkspaceId; before: Date; now: Date; count: number },
): Promise<number> {
  const old = await findOldFiles(tx, { ...oldOutputs, workspaceId, before }, count);
  const jobIds = [...new Set(old.flatMap(({ jobId }) => jobId ?? []))];
  const ended = await tx.query<{ id: string }>(sql`
    select id from jobs where id = any (${jobIds}::uuid[]) and workspace_id = ${workspaceId} and finished_at is not null
    order by id for update skip locked`);
  const there = await tx.query<{ id: string }>(sql`
    select id from jobs where id = any (${jobIds}::uuid[]) and workspace_id = ${workspaceId}`);
  const [isEnded, isThere] = [new Set(ended.map(({ id }) => id)), new Set(there.map(({ id }) => id))];
  const going = old.filter(({ jobId }) => jobId !== null && (isEnded.has(jobId) || !isThere.has(jobId)));
  const ids = going.map(({ id }) => id);
  await tx.execute(sql`
    with gone as (
      delete from job_outputs where job_id = any (${[...isEnded]}::uuid[]) and asset_id = any (${ids}::uuid[]) returning job_id
    )
    update jobs set version = version + 1 where workspace_id = ${workspaceId} and id in (select job_id from gone)`);
  await releaseHeld(tx, outputHolder, ids);
  return expireFiles(tx, { workspaceId, now, ids });
}

// The jobs that a person submitted with their keys. They are the workspace's.
export const jobPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "jobs",
      rows: ({ keyIds }, count) => sql`
        select id, workspace_id, api_key_id, state, created_at, finished_at from jobs
        where api_key_id = any (${keyIds}::uuid[]) order by created_at desc limit ${count}`,
    },
  ],
};
