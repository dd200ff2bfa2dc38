// Database access for the jobs bench that the product does not need.
import type { Database } from "../packages/server/src/foundation/database/index.ts";
import { sql } from "../packages/server/src/foundation/database/sql.ts";
import type { WorkspaceId } from "../packages/server/src/foundation/ids.ts";

export async function countJobs(database: Database): Promise<number> {
  const [row] = await database.query<{ count: string }>(sql`select count(*) as count from jobs`);
  return Number(row?.count ?? 0);
}

// Adds jobs until there are `count`: nine in ten ended yesterday, the rest waiting, over all workspaces. In portions that fit
// the statement time limit, with ids that rise with time as ours do.
export async function growJobs(
  database: Database,
  asked: { poolId: string; workspaces: readonly WorkspaceId[]; count: number },
): Promise<void> {
  for (let have = await countJobs(database); have < asked.count; have += 20_000) {
    const portion = Math.min(20_000, asked.count - have);
    await database.execute(sql`
      with ws as (select array_agg(id) as ids from unnest(${asked.workspaces}::uuid[]) as given (id)),
      made as (
        insert into jobs (id, workspace_id, pool_id, state, version, sequence, attempt, attempts_max, priority, nodes_total,
          holds_assets, holds_credits, created_at, started_at, finished_at, expires_at, due_at)
        select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint - 86400000), 12, '0') || '7'
            || lpad(to_hex(n % 4096), 3, '0') || '8' || substr(md5(random()::text), 1, 15))::uuid,
          ids[1 + (n * 31 + n / 10) % array_length(ids, 1)], ${asked.poolId}::uuid, case when n % 10 = 0 then 'queued' else 'succeeded' end,
          3, 2, 1, 3, 0, 5, false, false, now() - interval '1 day', now() - interval '1 day',
          case when n % 10 = 0 then null else now() - interval '1 day' end, now() + interval '29 days', now() + interval '29 days'
        from ws, generate_series(1, ${portion}::int) n returning id, workspace_id, pool_id, state
      ), graphs as (
        insert into job_graphs (job_id, submitted) select id, '\\x7b7d' from made
      )
      insert into job_ready (job_id, pool_id, workspace_id, rank) select id, pool_id, workspace_id, 0 from made where state = 'queued'`);
  }
  await database.execute(sql`analyze jobs, job_ready`);
}

export async function someJobs(
  database: Database,
  asked: { poolId: string; workspaceId: WorkspaceId; state: string; count: number },
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from jobs
    where workspace_id = ${asked.workspaceId} and pool_id = ${asked.poolId} and state = ${asked.state} limit ${asked.count}`);
  return rows.map(({ id }) => id);
}
