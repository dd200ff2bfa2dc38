// Usage rows: what was requested, with which key, how it ended, how long it took and what it cost. Finish writes the rows of
// calls; this file writes the others (replays and refusals), lists, sums and deletes. Every read names its workspace.
import type { Queryable } from "../../../foundation/database/database.ts";
import { fromRow, type RowOf } from "../../../foundation/database/rows.ts";
import { joinSql, sql } from "../../../foundation/database/sql.ts";
import { type KeyId, newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import type { RunTimes } from "../../../foundation/run-times.ts";
import type { CallStep, RefusedAccount } from "../call/call-opening.ts";
import { conditionsOf, isFailed } from "./usage-filter-store.ts";
import { usageLines } from "./usage-lines-store.ts";
import type { UsageDay, UsageFilter, UsagePosition, UsageRow } from "./usage-row.ts";
import { deleteUsageBefore, forgetSums } from "./usage-sums-store.ts";

// A usage row for a request that neither made nor ended a call. It costs nothing.
export interface FreeUsage
  extends Pick<
    UsageRow,
    "requestId" | "callId" | "apiKeyId" | "subject" | "outcome" | "status" | "isReplay" | "totalMs"
  > {
  readonly workspaceId: WorkspaceId;
  readonly labels?: Labels | undefined;
  readonly refusedAccount?: RefusedAccount | undefined;
  readonly attempts?: readonly CallStep[] | undefined;
}

// Newest first.
export async function listUsage(
  db: Queryable,
  query: { workspaceId: WorkspaceId; filter: UsageFilter; before: UsagePosition | null; count: number },
): Promise<UsageRow[]> {
  const conditions = conditionsOf(query.workspaceId, query.filter);
  if (query.before) conditions.push(sql`(at, id) < (${query.before.at}::timestamptz, ${query.before.id}::uuid)`);
  const rows = await db.query<StoredUsage>(sql`
    select id, request_id, call_id, api_key_id, subject, outcome, status, credits, is_replay, at, total_ms, provider_ms,
           refused_account, attempts, tags, end_user,
           to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact_at
    from usage where ${joinSql(conditions, sql` and `)} order by at desc, id desc limit ${query.count}`);
  return rows.map(toUsage);
}

// Days without rows are missing. A replay ran nothing, so it is neither a call nor a failure.
export async function sumUsage(
  db: Queryable,
  query: { workspaceId: WorkspaceId; filter: UsageFilter; bySubject: boolean },
): Promise<UsageDay[]> {
  const subject = query.bySubject ? sql`subject` : sql`null::text`;
  const rows = await db.query<SummedDay>(sql`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, ${subject} as subject,
           coalesce(sum(calls) filter (where not is_replay), 0) as calls,
           coalesce(sum(calls) filter (where ${isFailed}), 0) as failures,
           coalesce(sum(calls) filter (where is_replay), 0) as replays,
           sum(credits) as credits
    from ${usageLines({ ...query, withTimes: false, atMost: "day", columns: query.bySubject ? "subject" : "outcome" })}
    group by 1, 2 order by 1 desc, 2`);
  return rows.map((row) => ({
    day: row.day,
    subject: row.subject,
    calls: Number(row.calls),
    failures: Number(row.failures),
    replays: Number(row.replays),
    credits: BigInt(row.credits),
  }));
}

// What a key's ended calls have cost since then, according to its usage rows.
export async function spentBy(
  db: Queryable,
  key: { workspaceId: WorkspaceId; apiKeyId: KeyId; since: Date },
): Promise<bigint> {
  const { workspaceId, apiKeyId, since } = key;
  const filter = { from: since, apiKeyId };
  const lines = usageLines({ workspaceId, filter, withTimes: false, atMost: "day", columns: "outcome" });
  const [row] = await db.query<{ credits: string | null }>(sql`select sum(credits) as credits from ${lines}`);
  return BigInt(row?.credits ?? 0);
}

// How long a subject's most recent runs took at the provider, over all workspaces. Only successful runs that one process saw
// from start to end count. Null if there were none since then. The partial index exists for this query.
export async function findTimesOfSubject(
  db: Queryable,
  runs: { subject: string; since: Date; countMax: number },
): Promise<RunTimes | null> {
  // A partner task spends all its time at the partner.
  const isTask = runs.subject.startsWith("partner:");
  const [row] = await db.query<RunTimes>(sql`
    select count(*)::int as count,
           percentile_cont(0.5) within group (order by ms) as "medianMs",
           percentile_cont(0.9) within group (order by ms) as "p90Ms"
    from (select coalesce(provider_ms, case when ${isTask} then total_ms end) as ms from usage
          where subject = ${runs.subject} and at >= ${runs.since}
            and outcome = 'succeeded' and not is_replay and (provider_ms is not null or ${isTask})
          order by at desc limit ${runs.countMax}) newest`);
  return row && row.count > 0 ? row : null;
}

export async function insertUsage(db: Queryable, rows: readonly FreeUsage[]): Promise<void> {
  await db.execute(sql`
    insert into usage (id, workspace_id, request_id, call_id, api_key_id, subject, outcome, status, credits, is_replay, total_ms,
                       refused_account, attempts, tags, end_user)
    select id, workspace_id, request_id, call_id, api_key_id, subject, outcome, status, 0, is_replay, total_ms,
           refused_account, attempts, tags, end_user
    from unnest(
      ${rows.map(() => newId())}::uuid[],
      ${rows.map((row) => row.workspaceId)}::uuid[],
      ${rows.map((row) => row.requestId)}::uuid[],
      ${rows.map((row) => row.callId)}::uuid[],
      ${rows.map((row) => row.apiKeyId)}::uuid[],
      ${rows.map((row) => row.subject)}::text[],
      ${rows.map((row) => row.outcome)}::text[],
      ${rows.map((row) => row.status)}::int[],
      ${rows.map((row) => row.isReplay)}::boolean[],
      ${rows.map((row) => Math.round(row.totalMs))}::int[],
      ${rows.map((row) => (row.refusedAccount ? JSON.stringify(row.refusedAccount) : null))}::jsonb[],
      ${rows.map((row) => (row.attempts ? JSON.stringify(row.attempts) : null))}::jsonb[],
      ${rows.map((row) => (row.labels?.tags ? JSON.stringify(row.labels.tags) : null))}::jsonb[],
      ${rows.map((row) => row.labels?.endUser ?? null)}::text[]
    ) as given (id, workspace_id, request_id, call_id, api_key_id, subject, outcome, status, is_replay, total_ms,
                refused_account, attempts, tags, end_user)`);
}

// Deletes one batch of rows past the retention, up to the full hour. Fewer than `batchRows` means that nothing is left.
export async function forgetUsage(db: Queryable, keep: { keepDays: number; batchRows: number }): Promise<number> {
  const before = await forgetSums(db, keep.keepDays);
  return deleteUsageBefore(db, { before, batchRows: keep.batchRows });
}

interface SummedDay {
  readonly day: string;
  readonly subject: string | null;
  readonly calls: string;
  readonly failures: string;
  readonly replays: string;
  readonly credits: string;
}

type PlainUsage = Omit<UsageRow, "credits" | "attempts" | "position">;

interface StoredUsage extends RowOf<PlainUsage> {
  readonly credits: string;
  readonly attempts: UsageRow["attempts"] | null;
  readonly exact_at: string;
}

function toUsage({ credits, attempts, exact_at, ...row }: StoredUsage): UsageRow {
  const position = { at: exact_at, id: row.id };
  return { ...fromRow<PlainUsage>(row), credits: BigInt(credits), attempts: attempts ?? [], position };
}

// What a workspace was charged since then.
export async function spentSince(db: Queryable, workspaceId: WorkspaceId, since: Date): Promise<bigint> {
  const [row] = await db.query<{ credits: string | null }>(sql`
    select sum(credits) as credits from usage where workspace_id = ${workspaceId} and at >= ${since}`);
  return BigInt(row?.credits ?? 0);
}
