// Database access for the calls bench that the product does not need.
import type { Database } from "../packages/server/src/foundation/database/index.ts";
import { sql } from "../packages/server/src/foundation/database/sql.ts";
import type { WorkspaceId } from "../packages/server/src/foundation/ids.ts";

export async function addWorkspaces(database: Database, workspaces: readonly WorkspaceId[]): Promise<void> {
  await database.execute(
    sql`insert into workspaces (id, name, created_at) select id, 'bench', now() from unnest(${workspaces}::uuid[]) as given (id)`,
  );
}

export async function countCalls(database: Database): Promise<number> {
  const [row] = await database.query<{ count: string }>(sql`select count(*) as count from calls`);
  return Number(row?.count ?? 0);
}

// Adds calls that ended yesterday, with their lines, keys and usage, until there are `count`: in portions that fit the statement
// time limit.
export async function growCalls(database: Database, workspaces: readonly WorkspaceId[], count: number): Promise<void> {
  for (let have = await countCalls(database); have < count; have = await countCalls(database)) {
    const portion = Math.min(20_000, count - have);
    await database.execute(sql`
      with ws as (select array_agg(id) as ids from unnest(${workspaces}::uuid[]) as given (id)),
      made as (
        insert into calls (id, workspace_id, subject, idempotency_key, fingerprint, state, takes_slot, is_costly, hold, settled,
                           recovery, longest_run_seconds, begun_at, finished_at, outcome)
        -- Ids that rise with time, as ours do.
        select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint - 86400000), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
                || '8' || substr(md5(random()::text), 1, 15))::uuid, ids[1 + n % array_length(ids, 1)], 'model:bench/model', gen_random_uuid()::text, '\\x01', 'finished',
               true, false, 5000, 4000, 'ask', 600, now() - interval '1 day', now() - interval '1 day', 'succeeded'
        from ws, generate_series(1, ${portion}::int) n returning id, workspace_id, idempotency_key
      ), lines as (
        insert into journal (transaction_id, kind, workspace_id, debit, credit, amount, at)
        select id, 'settle', workspace_id, 'available', 'revenue', 4000, now() - interval '1 day' from made
      ), keys as (
        insert into call_keys (workspace_id, idempotency_key, call_id)
        select workspace_id, idempotency_key, id from made
      )
      insert into usage (id, workspace_id, call_id, subject, outcome, status, credits, is_replay, at, total_ms)
      select gen_random_uuid(), workspace_id, id, 'model:bench/model', 'succeeded', 200, 4000, false, now() - interval '1 day', 1 from made`);
  }
}
