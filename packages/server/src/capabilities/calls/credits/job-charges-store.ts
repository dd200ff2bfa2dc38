// What jobs were charged: their running time, from the part that was held for it, and the calls of models that their nodes
// made, which go under the key `job:{job}:…` (decisions, section 6). Calls that another workspace pays are not counted.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";

export interface ChargedJob {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
}

export async function chargesOfJobs(db: Queryable, jobs: readonly ChargedJob[]): Promise<ReadonlyMap<string, bigint>> {
  // As it stands in the index calls_of_jobs.
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
