// Database access for the growth bench that the product does not need: thirty days of calls, their lines, keys and usage.
import type { Database } from "../packages/server/src/foundation/database/index.ts";
import { sql } from "../packages/server/src/foundation/database/sql.ts";
import type { WorkspaceId } from "../packages/server/src/foundation/ids.ts";

const portionRows = 50_000;

export interface Growing {
  // The first one gets half of everything.
  readonly workspaces: readonly WorkspaceId[];
  readonly count: number;
}

// Evenly over the last thirty days, oldest first, as they would have been written: ids rise with time, keys are those of the
// last day. Twenty models, three keys, one call in twenty failed, one answer in thirty was a replay.
export async function growHistory(database: Database, { workspaces, count }: Growing): Promise<void> {
  for (let from = 0; from < count; from += portionRows) {
    const until = Math.min(count, from + portionRows);
    await database.execute(sql`
      with made as materialized (
        select n, at,
               (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8'
                || substr(md5(n::text), 4, 15))::uuid as id,
               (${workspaces}::uuid[])[case when n % 2 = 0 then 1 else 1 + (n / 2) % ${workspaces.length}::int end] as workspace_id,
               'model:bench/' || (n / 7 % 20) as subject, n % 20 = 3 as is_failure, n % 30 = 5 as is_replay
        from (select n, now() - interval '2 minutes' - (${count}::int - n) * (interval '30 days' / ${count}::int) as at
              from generate_series(${from}::int + 1, ${until}::int) n) as numbered
      ), called as (
        insert into calls (id, workspace_id, subject, idempotency_key, fingerprint, state, takes_slot, is_costly, hold, settled,
                           recovery, longest_run_seconds, begun_at, finished_at, outcome)
        select id, workspace_id, subject, 'grown-' || n, '\\x01', 'finished', true, false, 5000, case when is_failure then 0 else 4000 end,
               'ask', 600, at, at, case when is_failure then 'provider_error' else 'succeeded' end
        from made where not is_replay
      ), lines as (
        insert into journal (transaction_id, kind, workspace_id, debit, credit, amount, at)
        select id, 'settle', workspace_id, 'available', 'revenue', 4000, at from made where not is_replay and not is_failure
      ), keys as (
        insert into call_keys (workspace_id, idempotency_key, call_id)
        select workspace_id, 'grown-' || n, id from made where not is_replay and at > now() - interval '1 day'
      )
      insert into usage (id, workspace_id, request_id, call_id, api_key_id, subject, outcome, status, credits, is_replay, at, total_ms,
                         provider_ms)
      select id, workspace_id, id, id, md5('key' || n % 3)::uuid, subject,
             case when is_failure then 'provider_error' else 'succeeded' end, case when is_failure then 502 else 200 end,
             case when is_failure or is_replay then 0 else 4000 end, is_replay, at, (exp(random() * 6) * 10)::int, 10
      from made`);
  }
}

// Makes the rows look as if they had been there when the server started: its sums would begin too late for them.
export async function settleHistory(database: Database): Promise<void> {
  await database.execute(sql`delete from usage_sums`);
  await database.execute(sql`update usage_sums_span set rolled_from = '1970-01-01Z', rolled_until = '1970-01-01Z'`);
  for (const table of [sql`calls`, sql`journal`, sql`call_keys`, sql`usage`])
    await database.execute(sql`vacuum analyze ${table}`);
}

// Stored requests, spread over all of them.
export async function someRequests(database: Database, workspaceId: WorkspaceId): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select request_id as id from usage where workspace_id = ${workspaceId} order by at desc limit 200`);
  return rows.map(({ id }) => id);
}
