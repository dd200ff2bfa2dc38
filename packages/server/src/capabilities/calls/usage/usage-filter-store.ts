// Which rows of usage a question is about, and the measures by which they are added up: hours and days of UTC, whatever the
// session's time zone is, and cells of time. The conditions hold of rows and of sums alike, but for those of one request.
import { type Statement, sql } from "../../../foundation/database/sql.ts";
import type { KeyId, WorkspaceId } from "../../../foundation/ids.ts";

export interface UsageFilter {
  // Inclusive.
  readonly from?: Date | undefined;
  // Exclusive.
  readonly to?: Date | undefined;
  readonly subject?: string | undefined;
  readonly outcome?: string | undefined;
  readonly apiKeyId?: KeyId | undefined;
  readonly isReplay?: boolean | undefined;
  // What stands before the colon of the subject.
  readonly family?: string | undefined;
  readonly isFailure?: boolean | undefined;
  // Of the request, or of the call: then with the replays of its answer.
  readonly requestOrCallId?: string | undefined;
}

export const isFailed = sql`(outcome <> 'succeeded' and not is_replay)`;

export function conditionsOf(workspaceId: WorkspaceId, filter: UsageFilter): Statement[] {
  const conditions = [sql`workspace_id = ${workspaceId}`];
  if (filter.from !== undefined) conditions.push(sql`at >= ${filter.from}`);
  if (filter.to !== undefined) conditions.push(sql`at < ${filter.to}`);
  if (filter.subject !== undefined) conditions.push(sql`subject = ${filter.subject}`);
  if (filter.outcome !== undefined) conditions.push(sql`outcome = ${filter.outcome}`);
  if (filter.apiKeyId !== undefined) conditions.push(sql`api_key_id = ${filter.apiKeyId}`);
  if (filter.isReplay !== undefined) conditions.push(sql`is_replay = ${filter.isReplay}`);
  if (filter.family !== undefined) conditions.push(sql`split_part(subject, ':', 1) = ${filter.family}`);
  if (filter.isFailure !== undefined) conditions.push(filter.isFailure ? isFailed : sql`not ${isFailed}`);
  if (filter.requestOrCallId !== undefined) conditions.push(ofRequest(workspaceId, filter.requestOrCallId));
  return conditions;
}

// Each arm has an index: a call's own row was written in the moment in which the call ended.
function ofRequest(workspaceId: WorkspaceId, id: string): Statement {
  return sql`(request_id = ${id} or (is_replay and call_id = ${id})
    or (call_id = ${id} and at = (select finished_at from calls where id = ${id} and workspace_id = ${workspaceId})))`;
}

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
// Any beginning of a UTC day.
export const sumOrigin = sql`'2000-01-01T00:00:00Z'::timestamptz`;

export const hourOf = (moment: Statement) => sql`date_bin('1 hour', ${moment}, ${sumOrigin})`;
export const dayOf = (moment: Statement) => sql`date_bin('1 day', ${moment}, ${sumOrigin})`;

// Times are counted in cells that are 5 % wide; the longest of a cell stands for it, so that a time that is told is one that
// was measured. What is replayed ran nothing and has no time.
export const cellOf = sql`case when not is_replay then floor(ln(total_ms + 1::float8) * 20)::int end`;
