// A workspace's jobs, for export and deletion.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import type { RestoreBatch, WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import { assetFacts, countOldFiles, expireFiles, findOldFiles, heldFiles, releaseHeld } from "../assets/shared-sql.ts";
import { outputHolder } from "./changes/change-jobs.ts";
import { labelsOf } from "./changes/job-labels.ts";

export const jobHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "jobs",
      rows: (id, after, count) => sql`
        select j.id::text as position, j.id, j.state, j.priority, j.metadata, j.metadata_map, j.webhook_url, j.created_at, j.started_at,
          j.finished_at, j.expires_at, j.problem, convert_from(coalesce(g.executed, g.submitted), 'UTF8') as graph,
          case when g.executed is not null then convert_from(g.submitted, 'UTF8') end as submitted_graph, g.png_info,
          j.version, j.sequence, j.attempt, j.nodes_total, j.nodes, j.progress, j.labels, j.outputs_reused, j.is_cleared,
          j.lock_id, j.idempotency_key
        from jobs j left join job_graphs g on g.job_id = j.id
        where j.workspace_id = ${id} and j.id::text > ${after} order by j.id::text limit ${count}`,
      restore: {
        stays: { why: "jobs that had not ended", test: (row) => row["finished_at"] === null },
        read: restoreJobs,
      },
    },
    {
      name: "job_outputs",
      rowsPerRead: 10_000,
      rows: (id, after, count) => sql`
        select o.job_id || ' ' || lpad(o.version::text, 9, '0') as position, o.job_id, o.node_id, o.index, o.asset_id, o.name,
          o.kind, o.content_type, o.size, encode(o.hash, 'hex') as hash, o.version, o.folder
        from job_outputs o join jobs j on j.id = o.job_id
        where j.workspace_id = ${id} and j.finished_at is not null and o.attempt = j.attempt
          and o.job_id || ' ' || lpad(o.version::text, 9, '0') > ${after}
        order by 1 limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into job_outputs (job_id, attempt, node_id, index, asset_id, name, kind, content_type, size, hash, version,
              folder)
            select j.id, j.attempt, r.node_id, r.index, a.id, r.name, r.kind, r.content_type, r.size, decode(r.hash, 'hex'),
              r.version, r.folder
            from jsonb_to_recordset(${json}::jsonb) as r (job_id uuid, node_id text, index int, asset_id uuid, name text,
              kind text, content_type text, size bigint, hash text, version int, folder text)
            join jobs j on j.id = r.job_id and j.workspace_id = ${workspaceId}
            join (${assetFacts}) a on a.id = r.asset_id and a.workspace_id = j.workspace_id`),
      },
    },
    heldFiles("job_files", outputHolder),
    {
      name: "job_pauses",
      rows: (id, after, count) => sql`
        select workspace_id::text as position, paused_at from job_pauses
        where workspace_id = ${id} and workspace_id::text > ${after} limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into job_pauses (workspace_id, paused_at)
            select ${workspaceId}::uuid, paused_at from jsonb_to_recordset(${json}::jsonb) as r (paused_at timestamptz)`),
      },
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

// They become jobs of the shared pool, wherever they ran. The old server has sent their webhooks, so they keep no address for them.
// Their idempotency keys are kept: a client that missed an answer and repeats the request here gets the same job. Exports do not
// contain the request's fingerprint, so a repeat is not compared with it.
async function restoreJobs(tx: Queryable, { workspaceId, json, rows, poolId }: RestoreBatch): Promise<number> {
  const given = sql`jsonb_to_recordset(${json}::jsonb) as r (id uuid, state text, priority smallint, metadata text, metadata_map json,
    created_at timestamptz, started_at timestamptz, finished_at timestamptz, expires_at timestamptz, problem jsonb, graph text,
    submitted_graph text, png_info text, version int, sequence int, attempt int, nodes_total int, nodes text, progress jsonb,
    labels jsonb, outputs_reused boolean, is_cleared boolean, lock_id text, idempotency_key text)`;
  const count = await tx.execute(sql`
    insert into jobs (id, workspace_id, pool_id, state, version, sequence, attempt, attempts_max, priority, metadata, metadata_map,
      idempotency_key, nodes_total, holds_assets, holds_credits, created_at, started_at, finished_at, expires_at, due_at,
      outputs_reused, problem, progress, nodes, is_cleared, labels, lock_id)
    select id, ${workspaceId}::uuid, ${poolId}::uuid, state, version, sequence, attempt, greatest(attempt, 1), priority, metadata,
      metadata_map, idempotency_key, nodes_total, false, false, created_at, started_at, finished_at, expires_at,
      case when state = 'expired' then expires_at + interval '24 hours' else expires_at end,
      outputs_reused, problem, progress, nodes, is_cleared, labels, lock_id
    from ${given}`);
  await tx.execute(sql`
    insert into job_graphs (job_id, submitted, executed, png_info)
    select id, convert_to(coalesce(submitted_graph, graph), 'UTF8'),
      case when submitted_graph is not null then convert_to(graph, 'UTF8') end, png_info
    from ${given} where graph is not null`);
  await tx.execute(sql`
    insert into job_keys (workspace_id, pool_id, idempotency_key, job_id, fingerprint)
    select ${workspaceId}::uuid, ${poolId}::uuid, idempotency_key, id, ${unknownFingerprint}
    from ${given} where idempotency_key is not null`);
  const home = { workspaceId, poolId: trustedId<"pool">(poolId) };
  const labelled = rows.flatMap(({ id, metadata_map: map }) => {
    const texts = Object.entries(isRecord(map) ? map : {}).map(([key, value]) => [key, String(value)]);
    return labelsOf(home, Object.fromEntries(texts)).map((label) => ({ id, label }));
  });
  await tx.execute(sql`
    insert into job_labels (job_id, label)
    select * from unnest(${labelled.map(({ id }) => id)}::uuid[], ${labelled.map(({ label }) => label)}::uuid[])
    on conflict do nothing`);
  return count;
}

// Equal to none: see submit-store.ts.
const unknownFingerprint = Buffer.alloc(0);

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
