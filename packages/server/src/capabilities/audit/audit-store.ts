import type { Queryable } from "../../foundation/database/index.ts";
import { joinSql, type Statement, sql } from "../../foundation/database/index.ts";
import { trustedId } from "../../foundation/ids.ts";
import type { ActorKind, AuditEntry, AuditFilter, AuditPosition } from "./audit-entry.ts";

// The moment is the database's: entries of all servers stand on one clock.
export async function insertEntry(db: Queryable, entry: Omit<AuditEntry, "at">): Promise<void> {
  await db.execute(sql`
    insert into audit_entries (
      id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, workspace_id, before, after, request_id
    ) values (
      ${entry.id}, ${entry.actor.kind}, ${entry.actor.id}, ${entry.actor.name}, ${entry.action},
      ${entry.subject.kind}, ${entry.subject.id}, ${entry.workspaceId},
      ${jsonText(entry.before)}::jsonb, ${jsonText(entry.after)}::jsonb, ${entry.requestId}
    )`);
}

// Newest first. Each set of filters is a statement of its own, so that each finds its index.
export async function listEntries(
  db: Queryable,
  query: { filter: AuditFilter; before: AuditPosition | null; count: number },
): Promise<AuditEntry[]> {
  const conditions = [...conditionsOf(query.filter)];
  if (query.before) conditions.push(sql`(at, id) < (${query.before.at}::timestamptz, ${query.before.id}::uuid)`);
  const where = conditions.length === 0 ? sql`` : sql`where ${joinSql(conditions, sql` and `)}`;
  const rows = await db.query<AuditRow>(sql`
    select id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, workspace_id, before, after, request_id
    from audit_entries ${where} order by at desc, id desc limit ${query.count}`);
  return rows.map(toEntry);
}

// The database function is the only thing that may take entries away; see the migration. It writes, so it belongs into
// a transaction, where a statement never shares its connection.
export async function forgetEntries(tx: Queryable, keep: { keepDays: number; batchRows: number }): Promise<number> {
  const rows = await tx.query<{ forgotten: number }>(sql`
    select forget_audit_entries(${keep.keepDays}::integer, ${keep.batchRows}::integer) as forgotten`);
  return rows[0]?.forgotten ?? 0;
}

function conditionsOf(filter: AuditFilter): Statement[] {
  const conditions: Statement[] = [];
  if (filter.workspaceId !== undefined) conditions.push(sql`workspace_id = ${filter.workspaceId}`);
  if (filter.actorKind !== undefined) conditions.push(sql`actor_kind = ${filter.actorKind}`);
  if (filter.actorId !== undefined) conditions.push(sql`actor_id = ${filter.actorId}`);
  if (filter.action !== undefined) conditions.push(sql`action = ${filter.action}`);
  if (filter.subjectKind !== undefined) conditions.push(sql`subject_kind = ${filter.subjectKind}`);
  if (filter.subjectId !== undefined) conditions.push(sql`subject_id = ${filter.subjectId}`);
  if (filter.requestId !== undefined) conditions.push(sql`request_id = ${filter.requestId}`);
  if (filter.since !== undefined) conditions.push(sql`at >= ${filter.since}`);
  if (filter.until !== undefined) conditions.push(sql`at < ${filter.until}`);
  return conditions;
}

function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly action: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly workspace_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly request_id: string | null;
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: trustedId(row.id),
    at: row.at,
    // The table's check allows these words only.
    actor: { kind: row.actor_kind as ActorKind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id },
    workspaceId: row.workspace_id === null ? null : trustedId(row.workspace_id),
    before: row.before,
    after: row.after,
    requestId: row.request_id,
  };
}
