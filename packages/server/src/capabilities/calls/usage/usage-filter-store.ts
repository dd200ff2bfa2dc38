// Which usage rows a query is about, and the units they are added up in: hours and days in UTC, whatever the session's time
// zone, and cells of time. The conditions apply to rows and sums alike, except those on a single request.
import { type Statement, sql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { UsageFilter } from "./usage-row.ts";

export const isFailed = sql`(outcome <> 'succeeded' and not is_replay)`;

// Null: all workspaces.
export function conditionsOf(workspaceId: WorkspaceId | null, filter: UsageFilter): Statement[] {
  const conditions = [workspaceId === null ? sql`true` : sql`workspace_id = ${workspaceId}`];
  if (filter.from !== undefined) conditions.push(sql`at >= ${filter.from}`);
  if (filter.to !== undefined) conditions.push(sql`at < ${filter.to}`);
  if (filter.subject !== undefined) conditions.push(sql`subject = ${filter.subject}`);
  if (filter.outcome !== undefined) conditions.push(sql`outcome = ${filter.outcome}`);
  if (filter.apiKeyId !== undefined) conditions.push(sql`api_key_id = ${filter.apiKeyId}`);
  if (filter.tag !== undefined)
    conditions.push(sql`tags @> ${JSON.stringify({ [filter.tag.key]: filter.tag.value })}::jsonb`);
  if (filter.endUser !== undefined) conditions.push(sql`end_user = ${filter.endUser}`);
  if (filter.isReplay !== undefined) conditions.push(sql`is_replay = ${filter.isReplay}`);
  if (filter.family !== undefined) conditions.push(sql`split_part(subject, ':', 1) = ${filter.family}`);
  if (filter.isFailure !== undefined) conditions.push(filter.isFailure ? isFailed : sql`not ${isFailed}`);
  if (filter.requestOrCallId !== undefined) conditions.push(ofRequest(workspaceId, filter.requestOrCallId));
  return conditions;
}

// Each arm has an index: a call's own row was written at the moment the call ended.
function ofRequest(workspaceId: WorkspaceId | null, id: string): Statement {
  return sql`(request_id = ${id} or (is_replay and call_id = ${id})
    or (call_id = ${id} and at = (select finished_at from calls where id = ${id} and workspace_id = ${workspaceId})))`;
}

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
// The start of any UTC day.
export const sumOrigin = sql`'2000-01-01T00:00:00Z'::timestamptz`;

export const hourOf = (moment: Statement) => sql`date_bin('1 hour', ${moment}, ${sumOrigin})`;
export const dayOf = (moment: Statement) => sql`date_bin('1 day', ${moment}, ${sumOrigin})`;

// Times are counted in cells 5 % wide. A cell reports its longest time, so every time we show was really measured. A replay
// ran nothing and has no time.
export const cellOf = sql`case when not is_replay then floor(ln(total_ms + 1::float8) * 20)::int end`;
