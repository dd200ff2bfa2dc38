// What the database says about the jobs of tortured works.
import { type Queryable, sql } from "../../src/foundation/database/index.ts";

export interface WorkJob {
  readonly id: string;
  readonly state: string;
  // How many of its nodes' calls were charged.
  readonly charges: number;
}

export async function listWorkJobs(db: Queryable): Promise<WorkJob[]> {
  return db.query<WorkJob>(sql`
    select j.id, j.state, (
      select count(*)::int from calls c
      where c.workspace_id = j.workspace_id and c.settled > 0 and c.idempotency_key like 'job:%'
        and substring(c.idempotency_key from 5 for 36) = j.id::text) as charges
    from jobs j where j.metadata_map ->> 'work' is not null`);
}

export async function countOpen(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select (select count(*) from calls where state = 'open')::int
      + (select count(*) from jobs where finished_at is null)::int
      + (select count(*) from model_requests where state <> 'completed')::int as count`);
  return row?.count ?? 0;
}
