// What jobs were charged: running time, taken from the part reserved for it, and the model calls their nodes made under the
// key `job:{job}:…` (decisions, section 6). Calls that another workspace pays for are not counted.
import { limits } from "@atelier/contract";
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { ChargedJob, JobParts } from "./charged-job.ts";

export async function findJobCharges(db: Queryable, jobs: readonly ChargedJob[]): Promise<ReadonlyMap<string, bigint>> {
  // Written exactly like the index calls_of_jobs, so that PostgreSQL uses it.
  const rows = await db.query<{ id: string; charged: string }>(sql`
    select given.id,
      (coalesce((select sum(r.settled) from reservations r where r.holder_id = given.id), 0)
       + coalesce((select sum(c.settled) from calls c
                   where c.workspace_id = given.workspace_id and c.idempotency_key like 'job:%'
                     and substring(c.idempotency_key from 5 for 36) = given.id::text), 0))::text as charged
    from unnest(
      ${jobs.map(({ id }) => id)}::uuid[],
      ${jobs.map(({ workspaceId }) => workspaceId)}::uuid[]
    ) as given (id, workspace_id)`);
  return new Map(rows.map(({ id, charged }) => [id, BigInt(charged)]));
}

// The key is `job:`, the job's id, a colon, the node's id, a colon and a hash of 64 digits.
const [beforeNode, afterNode] = [41, 65];

export async function findJobPartCharges(db: Queryable, { id, workspaceId }: ChargedJob): Promise<JobParts> {
  const [run] = await db.query<{ charged: string }>(sql`
    select coalesce(sum(r.settled), 0)::text as charged from reservations r where r.holder_id = ${id}`);
  const rows = await db.query<{ node_id: string; charged: string; calls: number; call_ids: string[] }>(sql`
    select substring(c.idempotency_key from ${beforeNode + 1}::int
        for char_length(c.idempotency_key) - ${beforeNode + afterNode}::int) as node_id,
      sum(c.settled)::text as charged, count(*)::int as calls,
      (array_agg(c.id::text order by c.id desc))[1:${limits.nodeRequestsMax}::int] as call_ids
    from calls c
    where c.workspace_id = ${workspaceId} and c.idempotency_key like 'job:%' and c.settled is not null
      and substring(c.idempotency_key from 5 for 36) = ${id}::text
      and char_length(c.idempotency_key) > ${beforeNode + afterNode}::int
    group by 1 order by 1`);
  return {
    runningTime: BigInt(run?.charged ?? 0),
    nodes: rows.map(({ node_id, charged, calls, call_ids }) => ({
      nodeId: node_id,
      charged: BigInt(charged),
      calls,
      callIds: call_ids,
    })),
  };
}
